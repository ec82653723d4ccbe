/** Media types that a browser may show inline; all others are downloaded. See protocol/files#fetching. */
const SHOWN_IN_PLACE: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/wav',
  'audio/webm',
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'video/mp4',
  'video/webm',
]);

/** Scripts, frames and requests are blocked; images, audio and video may load only from this server. */
const INERT = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
/** Chrome blocks documents of this type in a sandbox. */
const UNSHOWN_IN_SANDBOX = 'application/pdf';

/**
 * Headers under which an uploaded file can do no harm in a browser. See protocol/files#fetching, security#holes, row
 * 20.
 */
export function inertHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    'content-type': contentType,
    'content-security-policy': `${INERT}; sandbox`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, immutable',
    vary: 'Accept, Authorization, Cookie, Sec-Fetch-Dest',
  };
}

/** Whether the file must be downloaded because a browser would show a blocked page instead. */
export function isSaved(contentType: string, fetchedFor: string | undefined): boolean {
  return (
    contentType === UNSHOWN_IN_SANDBOX && ['document', 'embed', 'frame', 'iframe', 'object'].includes(fetchedFor ?? '')
  );
}

/**
 * Returns the Content-Disposition: inline or attachment, and the file's name. RFC 6266: an ASCII name for old clients,
 * and the full name beside it.
 */
export function disposition(name: string, contentType: string, isDownload: boolean): string {
  const how = isDownload || !SHOWN_IN_PLACE.has(contentType) ? 'attachment' : 'inline';
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** Percent-encodes a name as in RFC 8187; a lone surrogate has no encoding and becomes `_`. */
function encoded(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Whether the Accept header prefers an image to HTML. */
export function prefersImages(accept: string | undefined): boolean {
  return quality(accept ?? '', 'image', 'png') > quality(accept ?? '', 'text', 'html');
}

/** The quality value (0 to 1) of a media type in an Accept header, from the most specific range that matches. */
function quality(accept: string, type: string, subtype: string): number {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return { name, q: Number.isFinite(q) ? q : 0 };
  });
  const named = [`${type}/${subtype}`, `${type}/*`, '*/*'].map((name) => ranges.find((range) => range.name === name));
  return named.find((range) => range !== undefined)?.q ?? 0;
}

/**
 * Parses a Range header for a file of `size` bytes. Undefined means the whole file, which is also the reply to several
 * ranges, as RFC 9110 allows.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

function suffix(length: number, size: number): { start: number; end: number } | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}
