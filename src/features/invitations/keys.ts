import { createHash, createHmac } from 'node:crypto';
import type { Context } from '#kernel/context';

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

/** A key that nobody has yet, as it is stored. */
export function newKey({ clock, server }: Pick<Context, 'clock' | 'server'>) {
  const key_seed = clock.token(32);
  return { key_seed, key_hash: keyHash(keyOf(server.secret, key_seed)) };
}

/** Whether a text can be a key at all; older keys had 40 characters. See protocol/invitations#joining. */
export function isKeyShape(text: string): boolean {
  return /^[a-z0-9]+$/.test(text) && (text.length === KEY_LENGTH || text.length === 40);
}
