import { createECDH } from 'node:crypto';

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

/** What a message is encrypted with besides the keys; chosen at random unless a test says so. */
export interface Chosen {
  readonly salt: Uint8Array;
  /** The sender's private key, 32 bytes. */
  readonly sender: Uint8Array;
}

/** The keys in URL-safe Base64; undefined where they are none. */
export function parsePushKeys(p256dh: string, auth: string): PushKeys | undefined {
  const keys = readPushKeys(p256dh, auth);
  try {
    // Throws for a point that is not on the curve.
    if (keys) assertOnCurve(keys.p256dh);
    return keys;
  } catch {
    return undefined;
  }
}

/**
 * The same for keys that were validated before: checking that the point is on the curve takes as long as encrypting for
 * it.
 */
export function readPushKeys(p256dh: string, auth: string): PushKeys | undefined {
  const [point, secret] = [fromUrlSafe(p256dh), fromUrlSafe(auth)];
  if (point?.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || secret?.length !== AUTH_BYTES) return undefined;
  return { p256dh: point, auth: secret };
}

function assertOnCurve(point: Uint8Array): void {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  pair.computeSecret(point);
}

/** Bytes of URL-safe Base64, with padding or without; undefined for other text. */
function fromUrlSafe(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9_-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
