import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;
/** Most derived keys remembered; they are cheap to derive again. */
const MAX_REMEMBERED = 20_000;

const remembered = new Map<string, string>();

/**
 * The API key of a user: 32 letters and digits, derived and never stored, so that a leaked database gives no keys. A
 * higher version makes the old key worthless.
 */
export function apiKeyFor(secret: string, userId: number, version: number): string {
  return deriveKey(secret, `api-key:${userId}:${version}`);
}

/** 32 letters and digits that follow from the server secret and a purpose. */
export function deriveKey(secret: string, purpose: string): string {
  const id = `${secret}\n${purpose}`;
  const known = remembered.get(id);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const key = keyOfBytes(createHmac('sha512', secret).update(purpose).digest());
  remembered.set(id, key);
  return key;
}

/** 64 random bytes as 32 letters and digits. */
export function keyOfBytes(bytes: Uint8Array): string {
  let key = '';
  for (let i = 0; i < LENGTH; i++) key += ALPHABET[(((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)) % 62];
  return key;
}

/** Whether a text has the form of an API key. */
export function isApiKeyShape(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text);
}
