import { createHash } from 'node:crypto';
import type { UserId } from '#kernel/ids';
import { parseBase64 } from '#kernel/secretbox';
import { InvalidApnsToken, InvalidTokenLength } from '../errors.ts';
import type { TokenKind } from '../tables.ts';

/** Longest token, in characters. See protocol/push#older-tokens, check 2. */
const MAX_TOKEN = 4096;

/** Throws unless a token may be one of its kind. See protocol/push#older-tokens, checks 2 and 3. */
export function assertToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_TOKEN) throw InvalidTokenLength();
  if (kind === 'apns' && !isHex(token.trim()) && !parseBase64(token.trim())?.length) throw InvalidApnsToken();
}

/** Bytes in hex, as iOS gives a token to the app, and as the published example of the operation sends one. */
function isHex(token: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(token);
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** What the push service calls a user: a UUID that follows from the organization's and the user's ID. RFC 9562 §5.8. */
export function userUuid(realmUuid: string, userId: UserId): string {
  const hex = createHash('sha256').update(`${realmUuid}:${userId}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
