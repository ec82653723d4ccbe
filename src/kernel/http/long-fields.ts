import { nextTurn } from '#kernel/endpoint';

/** Bytes that are decoded before yielding to other requests: about 5 ms. */
const STRETCH_BYTES = 256 * 1024;
const [PERCENT, PLUS, SPACE] = [37, 43, 32];

/**
 * Decodes a long form field without blocking: decoded at once, the escapes of 8 MiB take a second. An invalid % escape
 * stays as it is. Throws if it is not UTF-8.
 */
export async function unescapeInTurns(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endBefore(bytes, at + STRETCH_BYTES);
    parts.push(decoder.decode(unescaped(bytes.subarray(at, end)), { stream: true }));
    at = end;
    await nextTurn();
  }
  return parts.join('') + decoder.decode();
}

/** Returns where a part may end: before an escape that would be cut. */
function endBefore(bytes: Buffer, end: number): number {
  if (end >= bytes.length) return bytes.length;
  const percent = bytes.lastIndexOf(PERCENT, end - 1);
  return percent > end - 3 ? percent : end;
}

function unescaped(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const escaped = byte === PERCENT ? escapedAt(bytes, at) : -1;
    if (escaped >= 0) at += 2;
    out[length++] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
  }
  return out.subarray(0, length);
}

/** The byte of an escape; negative if it is invalid. */
function escapedAt(bytes: Buffer, at: number): number {
  const [high, low] = [digit(bytes[at + 1]), digit(bytes[at + 2])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
