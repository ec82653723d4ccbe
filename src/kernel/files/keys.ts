/** Longest key, in bytes of UTF-8. An object store allows 1,024; the rest is left for a prefix of the bucket's owner. */
export const MAX_KEY_BYTES = 900;
/** Longest part of a key between slashes, in bytes of UTF-8. What file systems allow. */
export const MAX_KEY_PART_BYTES = 255;

/** A key that must not reach a file system or an object store. Its text is not repeated: it may hold anything. */
class UnsafeFileKey extends Error {
  override readonly name = 'UnsafeFileKey';
}

/**
 * Letters, marks and digits of any script, `_`, `.` and `-`: everything that leads out of a folder (`\`, `:`, NUL, `%`) or
 * means something to a shell or to XML is outside. Security 3, row 34.
 */
const PART = /^[\p{L}\p{M}\p{N}_.-]+$/u;

/** Whether `text` is a key: relative, each part non-empty, in the alphabet, not `.` or `..`, within the bounds. */
export function isFileKey(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_KEY_BYTES && text.split('/').every(isSafePart);
}

/** Throws `UnsafeFileKey` unless `text` is a key. */
export function assertFileKey(text: string): void {
  if (!isFileKey(text)) throw new UnsafeFileKey('unsafe file key');
}

/** Throws `UnsafeFileKey` unless some key may begin with `text`. Empty: every key does. */
export function assertKeyPrefix(text: string): void {
  if (!isFileKey(`${text}x`)) throw new UnsafeFileKey('unsafe prefix of file keys');
}

function isSafePart(part: string): boolean {
  return PART.test(part) && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_KEY_PART_BYTES;
}
