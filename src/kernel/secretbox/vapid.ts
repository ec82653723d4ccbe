import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { KEY_BYTES } from './boxes.ts';

/** Order of the group of P-256. FIPS 186-4, D.1.2.3. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** More bytes than the order has, so that the remainder favours no key. FIPS 186-5, A.2.1. */
const SEED_BYTES = 48;

/** The keys by which push services know who sends. RFC 8292. */
export interface VapidKeys {
  /** URL-safe Base64 of the public key; browsers ask for it when they subscribe. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * The server's keys, derived from its secret: they are there from the first start, the same in every process and after a
 * restore, and stored nowhere. Decision 0024.
 */
export function vapidKeysOf(secret: string): VapidKeys {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'web push: server key', SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  return vapidKeysFrom(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
}

/** The keys to a private key of 32 bytes. */
function vapidKeysFrom(scalar: Buffer): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(scalar);
  const point = pair.getPublicKey();
  const text = (part: Buffer) => part.toString('base64url');
  const key = { kty: 'EC', crv: 'P-256', x: text(point.subarray(1, 33)), y: text(point.subarray(33)), d: text(scalar) };
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return { publicKey: text(point), privateKey };
}

/** What identifies the sender to a push service. */
interface Claims {
  /** Origin of the push service. */
  readonly audience: string;
  /** Seconds since 1970; at most a day from now. RFC 8292 §2. */
  readonly expiresAt: number;
  /** Where the push service reaches the operator: a `mailto:` or `https:` address. */
  readonly subject: string;
}

/** The value of the `Authorization` header of a push request. RFC 8292 §3. */
export function vapidHeader({ publicKey, privateKey }: VapidKeys, { audience, expiresAt, subject }: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: audience, exp: expiresAt, sub: subject })}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}

/**
 * First byte of a push key whose rest is the key of a secret box; the only kind there is.
 * See protocol/push#registering.
 */
const SECRETBOX_KIND = 0x31;
/** Base64 as RFC 4648 §4 has it, padded, with nothing between. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of strict Base64 (protocol/push#registering, check 8); undefined for other text. */
export function parseBase64(text: string): Uint8Array | undefined {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/**
 * The 32-byte key for `lockBox` in a client's `push_key`; undefined when that is malformed.
 * See protocol/push#registering, check 9.
 */
export function parsePushKey(text: string): Uint8Array | undefined {
  const bytes = parseBase64(text);
  if (bytes?.length !== KEY_BYTES + 1 || bytes[0] !== SECRETBOX_KIND) return undefined;
  return bytes.subarray(1);
}
