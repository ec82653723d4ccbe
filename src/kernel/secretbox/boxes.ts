import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A pair of keys for sealed boxes, 32 bytes each. */
export interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

/** Bytes of a secret key, and of either key of a pair. */
export const KEY_BYTES = 32;

/**
 * Encrypts with a shared 32-byte key: XSalsa20 with Poly1305 under a fresh nonce, which stands before the
 * result (24 bytes nonce, 16 bytes tag, then as many as there were). See protocol/push#registering, `push_key`.
 */
export async function lockBox(key: Uint8Array, plain: Uint8Array): Promise<Uint8Array> {
  const sodium = await load();
  const nonce = randomBytes(sodium.crypto_secretbox_NONCEBYTES);
  return Buffer.concat([nonce, sodium.crypto_secretbox_easy(plain, nonce, key)]);
}

/** Decrypts what `lockBox` made; undefined when it was made with another key, or changed since. */
export async function unlockBox(key: Uint8Array, box: Uint8Array): Promise<Uint8Array | undefined> {
  const sodium = await load();
  const nonce = box.subarray(0, sodium.crypto_secretbox_NONCEBYTES);
  return orNothing(() => sodium.crypto_secretbox_open_easy(box.subarray(nonce.length), nonce, key));
}

/** Encrypts for the holder of the private key to `publicKey`; not even the sender can read it again. */
export async function sealBox(publicKey: Uint8Array, plain: Uint8Array): Promise<Uint8Array> {
  return (await load()).crypto_box_seal(plain, publicKey);
}

/** Decrypts what `sealBox` made; undefined when it was made for another key, or changed since. */
export async function unsealBox({ publicKey, privateKey }: KeyPair, box: Uint8Array): Promise<Uint8Array | undefined> {
  const sodium = await load();
  return orNothing(() => sodium.crypto_box_seal_open(box, publicKey, privateKey));
}

/** Makes a fresh pair of keys for sealed boxes. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = (await load()).crypto_box_keypair();
  return { publicKey, privateKey };
}

/** The pair that follows from 32 secret bytes. */
export async function keyPairFrom(seed: Uint8Array): Promise<KeyPair> {
  const { publicKey, privateKey } = (await load()).crypto_box_seed_keypair(seed);
  return { publicKey, privateKey };
}

/** The library is loaded on first use: few servers send push notifications, and it compiles when it is loaded. */
async function load() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}

/** The library throws for a box that cannot be opened, and for one that is too short to be any. */
function orNothing(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what only this server reads, under a 32-byte key: AES-256-GCM under a fresh nonce (12 bytes nonce, then as
 * many as there were, 16 bytes tag). Many times faster than `lockBox`, whose form other programs know. A key is good
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
