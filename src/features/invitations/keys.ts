import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context';
import { sha256 } from '#kernel/secretbox';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** Length of a key in characters; 120 bits. See protocol/invitations#effects. */
const KEY_LENGTH = 24;

/** Derives the key in an invitation's link from its seed and the server secret: 24 characters of lower-case base32. */
export function keyOf(secret: string, seed: string): string {
  const bytes = createHmac('sha256', secret).update(`invitation:${seed}`).digest();
  return [...bytes.subarray(0, KEY_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('');
}

/** The hash by which a key is stored. */
export function keyHash(key: string): string {
  return sha256(key);
}

/** Generates a new key; returns the columns that store it. */
export function newKey({ clock, server }: Pick<Context, 'clock' | 'server'>) {
  const key_seed = clock.token(32);
  return { key_seed, key_hash: keyHash(keyOf(server.secret, key_seed)) };
}

/** Whether a text has the form of a key; older keys had 40 characters. See protocol/invitations#joining. */
export function isKeyShape(text: string): boolean {
  return /^[a-z0-9]+$/.test(text) && (text.length === KEY_LENGTH || text.length === 40);
}
