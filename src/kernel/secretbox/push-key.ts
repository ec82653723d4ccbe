import { KEY_BYTES } from './boxes.ts';

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
