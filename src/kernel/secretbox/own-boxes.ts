import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what nobody but this server reads, for who holds the same 32-byte key: AES-256-GCM under a fresh nonce (12 bytes
 * nonce, then as many as there were, 16 bytes tag). Many times faster than `lockBox`, whose form others know. A key is good
 * for 2³² boxes.
 */
export function lockOwn(key: Uint8Array, plain: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `lockOwn` made; undefined when it was made with another key, or changed since. */
export function unlockOwn(key: Uint8Array, box: Uint8Array): Uint8Array | undefined {
  if (box.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
