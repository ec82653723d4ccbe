import { isEscaped } from './json-text.ts';

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
export async function slimJson(bytes: Buffer): Promise<string> {
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
      if (isEscaped((at) => bytes[at], i)) continue;
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
      if (isTooDeep) return '';
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
  return Buffer.concat(parts).toString('utf8');
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
