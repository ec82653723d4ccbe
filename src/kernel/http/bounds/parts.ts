import type { ServerResponse } from 'node:http';

/** Bodies from this size on go out in parts, in bytes. */
const LARGE_BYTES = 256 * 1024;
const PART_BYTES = 128 * 1024;
/** Bytes that all connections are given before others get their turn; the system copies each of them within the call. */
const TURN_BYTES = 512 * 1024;

/** A body on its way. */
interface Rest {
  readonly response: ServerResponse;
  readonly end: () => void;
  readonly parts: Iterator<readonly Buffer[], undefined>;
}

/** Those that can go on, the one that waited longest first. */
const line: Rest[] = [];
let isComing = false;

/** Whether a body is so large that a hundred of them, given away at once, would keep everybody else waiting. */
export function isLarge(pieces: readonly (string | Buffer)[]): boolean {
  return pieces.reduce((sum, { length }) => sum + length, 0) >= LARGE_BYTES;
}

/** Writes a body part by part, in turn with all other large ones and as fast as it is taken, and then calls `end`. */
export function writeInParts(response: ServerResponse, pieces: readonly (string | Buffer)[], end: () => void): void {
  join({ response, end, parts: partsOf(pieces) });
}

function join(rest: Rest): void {
  line.push(rest);
  comeBack();
}

function comeBack(): void {
  if (isComing || line.length === 0) return;
  isComing = true;
  setImmediate(turn);
}

function turn(): void {
  isComing = false;
  for (let bytes = 0; bytes < TURN_BYTES; ) {
    const rest = line.shift();
    if (!rest) break;
    bytes += writePart(rest);
  }
  comeBack();
}

/** Number of bytes that went. A reader whose connection is full queues again when it has taken this part; a reader that has gone never does. */
function writePart(rest: Rest): number {
  const { response, end, parts } = rest;
  if (response.destroyed) return 0;
  const { value: part } = parts.next();
  if (!part) {
    end();
    return 0;
  }
  let isFull = false;
  response.cork();
  for (const [index, piece] of part.entries())
    response.write(piece, index === part.length - 1 ? () => void (isFull && join(rest)) : undefined);
  response.uncork();
  isFull = response.writableNeedDrain;
  if (!isFull) join(rest);
  return part.reduce((sum, { length }) => sum + length, 0);
}

/** A body in lists of pieces that have a part's size together, without copying what many answers share. */
function* partsOf(pieces: readonly (string | Buffer)[]): Generator<readonly Buffer[], undefined> {
  let part: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const whole = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < whole.length; ) {
      const slice = whole.subarray(at, at + PART_BYTES - bytes);
      part.push(slice);
      at += slice.length;
      bytes += slice.length;
      if (bytes < PART_BYTES) continue;
      yield part;
      [part, bytes] = [[], 0];
    }
  }
  if (bytes > 0) yield part;
  return undefined;
}
