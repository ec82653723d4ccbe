import type { RealmReadTx } from '#kernel/store';
import { endsOf } from '../core/index.ts';
import type { Stretch } from './merged/queries.ts';

/** A range of IDs, or of times; both ends count. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The window that leaves nothing out. */
export const EVERYTHING: Window = { first: 0, last: Number.MAX_SAFE_INTEGER };

type Read<T> = (window: Window, limit: number) => Promise<readonly T[]>;

/** IDs (or seconds) of the first window, times the cost of each. */
const FIRST_SIZE = 16_384;
/**
 * A statement that takes fewer milliseconds than this is followed by a wider window, a longer one by a narrower window.
 */
const SHORT_MS = 3;
const LONG_MS = 12;
const WIDER = 4;
const NARROWER = 4;
const LEAST_WIDTH = 8;
/** Milliseconds of statements after which other requests are served. */
const TURN_MS = 8;

/**
 * Reads a page where few messages may match. If the process blocks during statements, the walk is split into windows of
 * IDs, and other requests are served between them: otherwise a narrow without matches would block everybody for a walk
 * over all messages.
 */
export async function walk<T>(
  tx: RealmReadTx,
  { from, direction, limit, until, weight }: Stretch & { readonly weight: number },
  read: Read<T>,
): Promise<readonly T[]> {
  const isOlder = direction === 'older';
  const all = isOlder ? { first: until ?? 0, last: from } : { first: from, last: until ?? EVERYTHING.last };
  return walkAll(tx, 'id', { all, isOlder, limit, weight, read });
}

/**
 * Walks like `walk`, but by the time at which messages were sent, in seconds; from `since` on, until one message is
 * found.
 */
export async function walkSince<T>(
  tx: RealmReadTx,
  { since, weight }: { readonly since: number; readonly weight: number },
  read: Read<T>,
): Promise<T | undefined> {
  const all = { ...EVERYTHING, first: since };
  const [found] = await walkAll(tx, 'sent_at', { all, isOlder: false, limit: 1, weight, read });
  return found;
}

interface Walk<T> {
  readonly all: Window;
  readonly isOlder: boolean;
  readonly limit: number;
  /** Cost of checking one message, in simple conditions. */
  readonly weight: number;
  readonly read: Read<T>;
}

async function walkAll<T>(
  tx: RealmReadTx,
  column: 'id' | 'sent_at',
  { all, isOlder, limit, weight, read }: Walk<T>,
): Promise<readonly T[]> {
  // With other databases the process does not block, and the database limits the time of a statement.
  if (tx.dialect.snapshotsAtOnce > 1) return read(all, limit);
  const found: T[] = [];
  const first = Math.max(LEAST_WIDTH, Math.ceil(FIRST_SIZE / (weight + 1)));
  for await (const window of windows(await boundsOf(tx, column, all), isOlder, first)) {
    found.push(...(await read(window, limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}

/** Yields the windows one after another; the width of each depends on how long the one before took. */
async function* windows({ first, last }: Window, isOlder: boolean, firstWidth: number): AsyncGenerator<Window> {
  let [width, low, high, turn] = [firstWidth, first, last, performance.now()];
  while (low <= high) {
    const window = isOlder
      ? { first: Math.max(low, high - width + 1), last: high }
      : { first: low, last: Math.min(high, low + width - 1) };
    const began = performance.now();
    yield window;
    const now = performance.now();
    width = nextWidth(width, now - began);
    if (isOlder) high = window.first - 1;
    else low = window.last + 1;
    if (now - turn < TURN_MS) continue;
    await new Promise(setImmediate);
    turn = performance.now();
  }
}

function nextWidth(width: number, ms: number): number {
  if (ms < SHORT_MS) return width * WIDER;
  return ms > LONG_MS ? Math.max(LEAST_WIDTH, Math.ceil(width / NARROWER)) : width;
}

/** The window without the parts before the realm's first message and after its last. */
async function boundsOf(tx: RealmReadTx, column: 'id' | 'sent_at', all: Window): Promise<Window> {
  const { lowest, highest } = await endsOf(tx, column);
  if (lowest === null || highest === null) return { first: 1, last: 0 };
  return { first: Math.max(all.first, lowest), last: Math.min(all.last, highest) };
}
