import type { IncomingMessage } from 'node:http';

/**
 * Fields of which a request has one. Of two Node takes the first, and a proxy before it may have looked at the last: they would
 * not agree where the request goes, who sent it, or where its body ends.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);
/** Characters of a name, or of an address in brackets, and a port (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Whether a request names one host, as RFC 9112 3.2 demands, and leaves no doubt of its fields and of the end of its body. */
export function isWellFormed(request: IncomingMessage): boolean {
  const { headers, httpVersionMinor } = request;
  const { host } = headers;
  if (host === undefined ? httpVersionMinor > 0 : !isHost(host)) return false;
  const coding = headers['transfer-encoding'];
  // Node lets pass what ends with `chunked`, and a coding in HTTP/1.0, which knows none (RFC 9112 6.1).
  if (coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked')) return false;
  return !hasDoubles(request);
}

/** Most requests name the host of the one before. */
let latest = '';

function isHost(host: string): boolean {
  if (host === latest) return true;
  if (!HOST.test(host)) return false;
  latest = host;
  return true;
}

function hasDoubles({ headers, rawHeaders }: IncomingMessage): boolean {
  // As many fields as names: none is there twice.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return false;
  const names = rawHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return [...SINGLE].some((single) => names.indexOf(single) !== names.lastIndexOf(single));
}
