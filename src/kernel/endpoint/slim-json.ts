import { parseBounded } from './decode.ts';
import { isEscaped } from './json-text.ts';

/** Largest JSON that is parsed directly, in bytes; takes 15 ms in the worst case, an object with only short members. */
const READ_AT_ONCE_BYTES = 2 ** 18;
/** Largest JSON that is parsed after it was shortened, in bytes. */
const MAX_SHORTENED_BYTES = 2 * 2 ** 20;

/** Most bytes of a string: more than the longest message, however its characters are escaped. */
const MAX_STRING_BYTES = 60_000;
/** Most members of one list or object, and most bytes in all. */
const MAX_MEMBERS = 5_000;
const MAX_BYTES = 1.5 * 2 ** 20;
/** Deepest nesting; deeper texts are refused anyway. */
const MAX_DEPTH = 64;
/** Bytes that are processed before other requests run: about 5 ms. */
const STRETCH_BYTES = 2 ** 18;

const [QUOTE, COMMA, BACKSLASH, LOWER_U] = [34, 44, 92, 117];
const OPENING: ReadonlySet<number | undefined> = new Set([91, 123]);
const CLOSING: ReadonlySet<number | undefined> = new Set([93, 125]);

/** A list or an object that is open at the current place. */
interface Container {
  members: number;
  /** The output size up to which its next member may begin. */
  readonly limit: number;
  /** Whether the rest of it is skipped. */
  isFull: boolean;
}

/**
 * Shortens a large JSON text without parsing it. Long strings are cut. Long lists and objects end early: each may use
 * half of the space left to its container, so that there is room for what follows. Other requests run in between. The
 * result of invalid JSON is invalid, too.
 */
export async function slimJson(bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  const open: Container[] = [];
  let size = 0;
  // The end of the last copied part; the bytes after it are copied unless something is being skipped.
  let from = 0;
  let isLeft = false;
  const keep = (end: number) => {
    if (!isLeft && end > from) size += parts.push(bytes.subarray(from, end)) && end - from;
    from = end;
  };
  let text = -1;
  let next = STRETCH_BYTES;
  for (let i = 0; i < bytes.length; i++) {
    if (i >= next) {
      next = i + STRETCH_BYTES;
      await new Promise(setImmediate);
    }
    if (text >= 0) {
      i = bytes.indexOf(QUOTE, i);
      if (i < 0) break;
      // No program sends more backslashes one after the other; what is made of them is refused when it is parsed.
      const nearby = (at: number) => (at >= i - STRETCH_BYTES ? bytes[at] : undefined);
      if (isEscaped(nearby, i)) continue;
      if (i - text > MAX_STRING_BYTES) {
        keep(cutIn(bytes, text + 1));
        from = i;
      }
      text = -1;
      continue;
    }
    const byte = bytes[i];
    if (byte === QUOTE) text = i;
    else if (OPENING.has(byte)) {
      const { limit = 2 * MAX_BYTES } = open.at(-1) ?? {};
      const now = isLeft ? size : size + i - from;
      const isTooDeep = open.push({ members: 1, limit: now + (limit - now) / 2, isFull: false }) > MAX_DEPTH;
      if (isTooDeep) return Buffer.alloc(0);
    } else if (CLOSING.has(byte)) {
      // Skipping ends with the list that is too long; its container continues.
      if (open.pop()?.isFull === true) {
        isLeft = false;
        from = i;
      }
    } else if (byte === COMMA && !isLeft) {
      const container = open.at(-1);
      if (!container || (++container.members <= MAX_MEMBERS && size + i - from <= container.limit)) continue;
      keep(i);
      container.isFull = true;
      isLeft = true;
    }
  }
  keep(bytes.length);
  return Buffer.concat(parts);
}

/**
 * Parses JSON of unknown shape without blocking other requests for long: large texts are shortened before. Undefined if it is
 * not JSON; 'too large' if no message could show it even so.
 */
export async function parseShortened(bytes: Buffer): Promise<{ readonly value: unknown } | 'too large' | undefined> {
  if (bytes.length <= READ_AT_ONCE_BYTES) return parseBounded(bytes.toString('utf8'));
  const short = await slimJson(bytes);
  return short.length > MAX_SHORTENED_BYTES ? 'too large' : parseBounded(short.toString('utf8'));
}

/** The next place at which a string can be cut: not inside a character or an escape. */
function cutIn(bytes: Buffer, start: number): number {
  let cut = start;
  for (let i = start; i < start + MAX_STRING_BYTES; ) {
    cut = i;
    if (bytes[i] === BACKSLASH) i += bytes[i + 1] === LOWER_U ? 6 : 2;
    else i++;
  }
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}
