import type { UserId } from '#kernel/ids';
import { parseBase64, sha256 } from '#kernel/secretbox';
import { InvalidApnsToken, InvalidTokenLength } from '../errors.ts';
import type { TokenKind } from '../tables.ts';

/** Longest token, in characters. See protocol/push#older-tokens, check 2. */
const MAX_TOKEN = 4096;

/** Throws unless a token is valid for its kind. See protocol/push#older-tokens, checks 2 and 3. */
export function assertToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_TOKEN) throw InvalidTokenLength();
  if (kind === 'apns' && !isHex(token.trim()) && !isBase64(token.trim())) throw InvalidApnsToken();
}

/** Whether a token is Base64; hyphens in it are ignored, because the published example sends `apple-tokenbb`. */
function isBase64(token: string): boolean {
  return [token, token.replaceAll('-', '')].some((text) => Boolean(parseBase64(text)?.length));
}

/** Whether a token is hexadecimal, as iOS gives it to the app. */
function isHex(token: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(token);
}

export function hashOf(token: string): string {
  return sha256(token, 'base64');
}

/** Identifies a person to the push service; older registrations there have only the number. */
export function identityOf(realmUuid: string, userId: UserId) {
  return { realm_uuid: realmUuid, user_uuid: userUuid(realmUuid, userId), user_id: userId };
}

/** The push service's numbers of the kinds of tokens. */
export const KIND_NUMBER = { apns: 1, fcm: 2 } as const;

/** A token in the push service's form: iOS tokens in hex. */
export function toSentToken(kind: TokenKind, token: string): string {
  const text = token.trim();
  return kind === 'fcm' || isHex(text) ? text : Buffer.from(text, 'base64').toString('hex');
}

/** The push service's UUID of a user, derived from the organization's UUID and the user's ID. RFC 9562 §5.8. */
function userUuid(realmUuid: string, userId: UserId): string {
  const hex = sha256(`${realmUuid}:${userId}`);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
