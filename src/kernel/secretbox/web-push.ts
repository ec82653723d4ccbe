import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a push subscription, as its browser or app made them. RFC 8291 §2. */
export interface PushKeys {
  /** Its public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: Uint8Array;
  /** 16 bytes that prove who was told of the subscription. */
  readonly auth: Uint8Array;
}

/** Bytes of a subscription's keys. */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
/** First byte of an uncompressed point. SEC 1 §2.3.3. */
const UNCOMPRESSED = 4;
const SALT_BYTES = 16;
const CURVE = 'prime256v1';
/** The record size that is announced: one record holds the whole message. RFC 8291 §4. */
const RECORD_BYTES = 4_096;
/** Ends the text of the last record. RFC 8188 §2. */
const LAST_RECORD = Buffer.of(2);

/** What a message is encrypted with besides the keys; chosen at random unless a test says so. */
interface Chosen {
  readonly salt: Uint8Array;
  /** The sender's private key, 32 bytes. */
  readonly sender: Uint8Array;
}

/** The keys in URL-safe Base64; undefined where they are none. */
export function parsePushKeys(p256dh: string, auth: string): PushKeys | undefined {
  const keys = readPushKeys(p256dh, auth);
  try {
    // Throws for a point that is not on the curve.
    if (keys) createECDHWithKey().computeSecret(keys.p256dh);
    return keys;
  } catch {
    return undefined;
  }
}

/** The same of keys that were looked at before: whether the point is on the curve takes as long as to encrypt for it. */
export function readPushKeys(p256dh: string, auth: string): PushKeys | undefined {
  const [point, secret] = [fromUrlSafe(p256dh), fromUrlSafe(auth)];
  if (point?.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || secret?.length !== AUTH_BYTES) return undefined;
  return { p256dh: point, auth: secret };
}

/** Encrypts a message for one subscription: the body of a push request in the coding `aes128gcm`. RFC 8291 §3, RFC 8188 §2. */
export function lockPush({ p256dh, auth }: PushKeys, plain: Uint8Array, chosen?: Chosen): Uint8Array {
  const sender = createECDHWithKey(chosen?.sender);
  const salt = chosen?.salt ?? randomBytes(SALT_BYTES);
  const own = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]);
  const shared = hkdfSync('sha256', sender.computeSecret(p256dh), auth, info, 32);
  const derive = (name: string, length: number) =>
    new Uint8Array(hkdfSync('sha256', new Uint8Array(shared), salt, `Content-Encoding: ${name}\0`, length));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(own.length, 4);
  const sealed = [cipher.update(plain), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, own, ...sealed]);
}

function createECDHWithKey(privateKey?: Uint8Array) {
  const pair = createECDH(CURVE);
  if (privateKey) pair.setPrivateKey(privateKey);
  else pair.generateKeys();
  return pair;
}

/** Bytes of URL-safe Base64, with padding or without; undefined for other text. */
function fromUrlSafe(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9_-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
