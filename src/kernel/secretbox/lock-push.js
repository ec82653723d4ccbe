// @ts-check
// JavaScript, because it runs in a thread, too, which is started from a file, and the tests start it from the sources.
import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

const SALT_BYTES = 16;
const CURVE = 'prime256v1';
/** The record size that is announced: one record holds the whole message. RFC 8291 §4. */
const RECORD_BYTES = 4_096;
/** Ends the text of the last record. RFC 8188 §2. */
const LAST_RECORD = Buffer.of(2);
/** Ends what HKDF expands to one block. RFC 5869 §2.3. */
const FIRST_BLOCK = Buffer.of(1);
const WEB_PUSH = Buffer.from('WebPush: info\0');
const KEY = Buffer.from('Content-Encoding: aes128gcm\0');
const NONCE = Buffer.from('Content-Encoding: nonce\0');

/**
 * One step of HKDF, for results of at most a block. It is written out because `hkdfSync` extracts anew for each result, and
 * makes a key object each time: twice the time for the three that a message needs.
 * @param {Uint8Array} key
 * @param {readonly Uint8Array[]} parts
 */
function hmac(key, ...parts) {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
}

/**
 * Encrypts a message for one subscription: the body of a push request in the coding `aes128gcm`, with a key pair of its own.
 * RFC 8291 §3, RFC 8188 §2.
 * @param {import('./web-push.ts').PushKeys} keys
 * @param {Uint8Array} plain
 * @param {import('./web-push.ts').Chosen} [chosen]
 * @returns {Uint8Array}
 */
export function lockPush({ p256dh, auth }, plain, chosen) {
  const sender = createECDH(CURVE);
  if (chosen) sender.setPrivateKey(chosen.sender);
  else sender.generateKeys();
  const salt = chosen?.salt ?? randomBytes(SALT_BYTES);
  const own = sender.getPublicKey();
  const shared = hmac(hmac(auth, sender.computeSecret(p256dh)), WEB_PUSH, p256dh, own, FIRST_BLOCK);
  const secret = hmac(salt, shared);
  const derive = (/** @type {Uint8Array} */ info, /** @type {number} */ length) =>
    hmac(secret, info, FIRST_BLOCK).subarray(0, length);
  const cipher = createCipheriv('aes-128-gcm', derive(KEY, 16), derive(NONCE, 12));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(own.length, 4);
  const sealed = [cipher.update(plain), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, own, ...sealed]);
}
