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
  if (kind === 'apns' && !isHex(token.trim()) && !isBase64(token.trim())) throw InvalidApnsToken();
}

/** Bytes in Base64, with hyphens between them that mean nothing: the published example sends `apple-tokenbb`. */
function isBase64(token: string): boolean {
  return [token, token.replaceAll('-', '')].some((text) => Boolean(parseBase64(text)?.length));
}

/** Bytes in hex, as iOS gives a token to the app. */
function isHex(token: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(token);
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** Who somebody is for the push service, which older registrations know by the number alone. */
export function identityOf(realmUuid: string, userId: UserId) {
  return { realm_uuid: realmUuid, user_uuid: userUuid(realmUuid, userId), user_id: userId };
}

/** How the push service writes the kinds of tokens. */
export const KIND_NUMBER = { apns: 1, fcm: 2 } as const;

/** A token as the push service takes it: those of iOS in hex. */
export function toSentToken(kind: TokenKind, token: string): string {
  const text = token.trim();
  return kind === 'fcm' || isHex(text) ? text : Buffer.from(text, 'base64').toString('hex');
}

/** What the push service calls a user: a UUID that follows from the organization's and the user's ID. RFC 9562 §5.8. */
function userUuid(realmUuid: string, userId: UserId): string {
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
