import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Allowance } from '#kernel/limits';

/** Headers of every API reply. See protocol/wire#headers. */
const API_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding',
} as const;

/** Default headers of pages and files. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  'x-frame-options': 'DENY',
};

export function apiHeaders(
  requestId: string,
  allowance: Allowance | undefined,
  now: number,
): Record<string, string | number> {
  const headers: Record<string, string | number> = { ...API_HEADERS, 'x-request-id': requestId };
  if (allowance) {
    headers['x-ratelimit-limit'] = allowance.limit;
    headers['x-ratelimit-remaining'] = allowance.remaining;
    headers['x-ratelimit-reset'] = now + Math.ceil(allowance.resetSeconds);
  }
  return headers;
}

/** Headers of the reply to a CORS preflight request. */
export function preflightHeaders(allow: readonly string[]): Record<string, string> {
  return {
    allow: allow.join(', '),
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': String(SECONDS_PER_DAY),
  };
}
