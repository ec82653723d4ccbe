import { createHash, createHmac } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** Characters of a key: 120 bits. See protocol/invitations#effects. */
const KEY_LENGTH = 24;

/** The key in an invitation's link: 24 characters of lower-case base32 that follow from the seed and the secret. */
export function keyOf(secret: string, seed: string): string {
  const bytes = createHmac('sha256', secret).update(`invitation:${seed}`).digest();
  return [...bytes.subarray(0, KEY_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('');
}

/** What is stored of a key. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a text can be a key at all; older keys had 40 characters. See protocol/invitations#joining. */
export function isKeyShape(text: string): boolean {
  return /^[a-z0-9]+$/.test(text) && (text.length === KEY_LENGTH || text.length === 40);
}
