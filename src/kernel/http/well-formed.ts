import type { IncomingMessage } from 'node:http';

/**
 * Header fields that must not be repeated. Node uses the first of two, and a proxy may have used the last: they would
 * disagree on the request's host, its credentials, or the end of its body.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);
/** Characters of a host name or bracketed address, and a port (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Whether a request names one host, as RFC 9112 3.2 requires, and its fields and the end of its body are unambiguous.
 */
export function isWellFormed(request: IncomingMessage): boolean {
  const { headers, httpVersionMinor } = request;
  const { host } = headers;
  if (host === undefined ? httpVersionMinor > 0 : !isHost(host)) return false;
  const coding = headers['transfer-encoding'];
  // Node accepts any coding that ends with `chunked`, and a coding in HTTP/1.0, which has none (RFC 9112 6.1).
  if (coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked')) return false;
  return !hasDoubles(request);
}

/** Cached, because most requests have the same host as the one before. */
let latest = '';

function isHost(host: string): boolean {
  if (host === latest) return true;
  if (!HOST.test(host)) return false;
  latest = host;
  return true;
}

function hasDoubles({ headers, rawHeaders }: IncomingMessage): boolean {
  // No name is repeated if there are as many fields as distinct names.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return false;
  const names = rawHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return [...SINGLE].some((single) => names.indexOf(single) !== names.lastIndexOf(single));
}
