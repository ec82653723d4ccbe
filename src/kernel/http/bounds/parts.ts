import type { ServerResponse } from 'node:http';

/** Bodies of at least this size are sent in parts, in bytes. */
const LARGE_BYTES = 256 * 1024;
const PART_BYTES = 512 * 1024;
/** Bytes that are written before yielding to other work; the system copies them during the call. */
const TURN_BYTES = 512 * 1024;

/** A body that is being sent. */
interface Rest {
  readonly response: ServerResponse;
  readonly end: () => void;
  readonly parts: Iterator<readonly Buffer[], undefined>;
}

/** The bodies that can continue, the one that waited longest first. */
const queue: Rest[] = [];
let isScheduled = false;

/** Whether a body is large: sending a hundred of them at once would block all other requests. */
export function isLarge(pieces: readonly (string | Buffer)[]): boolean {
  return pieces.reduce((sum, { length }) => sum + length, 0) >= LARGE_BYTES;
}

/**
 * Writes a body in parts, alternating with all other large bodies and as fast as the client reads, then calls `end`.
 */
export function writeInParts(response: ServerResponse, pieces: readonly (string | Buffer)[], end: () => void): void {
  enqueue({ response, end, parts: partsOf(pieces) });
}

function enqueue(rest: Rest): void {
  queue.push(rest);
  scheduleTurn();
}

function scheduleTurn(): void {
  if (isScheduled || queue.length === 0) return;
  isScheduled = true;
  setImmediate(runTurn);
}

function runTurn(): void {
  isScheduled = false;
  for (let bytes = 0; bytes < TURN_BYTES; ) {
    const rest = queue.shift();
    if (!rest) break;
    bytes += writePart(rest);
  }
  scheduleTurn();
}

/**
 * Writes the next part; returns its length. If the socket's buffer is full, the body continues when it drains; if the
 * client has disconnected, it does not.
 */
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
    response.write(piece, index === part.length - 1 ? () => void (isFull && enqueue(rest)) : undefined);
  response.uncork();
  isFull = response.writableNeedDrain;
  if (!isFull) enqueue(rest);
  return part.reduce((sum, { length }) => sum + length, 0);
}

/** Yields lists of pieces that together have a part's size, without copying shared buffers. */
function* partsOf(pieces: readonly (string | Buffer)[]): Generator<readonly Buffer[], undefined> {
  let part: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const whole = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < whole.length; ) {
      const room = PART_BYTES - bytes;
      const slice = at === 0 && whole.length <= room ? whole : whole.subarray(at, at + room);
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
