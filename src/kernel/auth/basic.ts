import { BadAuthorizationHeader, BasicAuthRequired } from '#kernel/errors';

/** User name and password of an Authorization header. */
export interface BasicCredentials {
  readonly email: string;
  readonly key: string;
}

/**
 * Reads a Basic Authorization header; throws what protocol/authentication#credentials, rows 2 and 3 say about any
 * other.
 */
export function parseBasic(header: string): BasicCredentials {
  const [scheme = '', encoded = ''] = header.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== 'basic') throw BasicAuthRequired();
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) throw BadAuthorizationHeader();
  return { email: decoded.slice(0, colon), key: decoded.slice(colon + 1) };
}
