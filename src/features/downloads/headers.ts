/** Media types that a browser may show in place; everything else is saved. See protocol/files#fetching. */
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

/** Nothing in a file runs, loads or navigates; a picture, a sound or a film shows only itself. */
const INERT = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
/** Chrome shows no document of this type in a sandbox, only that it was blocked. */
const UNSHOWN_IN_SANDBOX = 'application/pdf';

/** Headers under which a file of somebody's can do no harm. See protocol/files#fetching, security#holes, row 20. */
export function inertHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    'content-type': contentType,
    'content-security-policy': `${INERT}; sandbox`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, immutable',
    vary: 'Accept, Authorization, Cookie, Sec-Fetch-Dest',
  };
}

/** Whether a browser saves a file rather than show nothing of it. */
export function isSaved(contentType: string, fetchedFor: string | undefined): boolean {
  return (
    contentType === UNSHOWN_IN_SANDBOX && ['document', 'embed', 'frame', 'iframe', 'object'].includes(fetchedFor ?? '')
  );
}

/** How a browser treats a file, and what it calls it. RFC 6266: a plain form for old readers, the whole name beside it. */
export function disposition(name: string, contentType: string, isDownload: boolean): string {
  const how = isDownload || !SHOWN_IN_PLACE.has(contentType) ? 'attachment' : 'inline';
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** Percent-encoded as RFC 8187 has it; half of a pair of surrogates has no encoding. */
function encoded(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Whether a client would rather have a picture than a page. */
export function prefersImages(accept: string | undefined): boolean {
  return quality(accept ?? '', 'image', 'png') > quality(accept ?? '', 'text', 'html');
}

/** How welcome a type is, from 0 to 1, by the most exact range that names it. */
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
 * The one range of bytes that a header asks for, within a file of `size` bytes. Undefined: the whole file. Several ranges
 * at once are answered with the whole file too, as RFC 9110 allows.
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
