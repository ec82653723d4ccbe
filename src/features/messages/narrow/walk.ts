import type { RealmReadTx } from '#kernel/store';
import { endsOf } from '../core/index.ts';
import type { Stretch } from './merged/queries.ts';

/** A part of the order of IDs, or of times; both ends count. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The window that leaves nothing out. */
export const EVERYTHING: Window = { first: 0, last: Number.MAX_SAFE_INTEGER };

type Read<T> = (window: Window, limit: number) => Promise<readonly T[]>;

/** IDs (or seconds) that the first statement looks through, times what each costs. */
const FIRST_SIZE = 16_384;
/** Statements that take less than this many milliseconds are followed by a wider one, others by a narrower one. */
const SHORT_MS = 3;
const LONG_MS = 12;
const WIDER = 4;
const NARROWER = 4;
const LEAST_WIDTH = 8;
/** Milliseconds of statements after which others get their turn. */
const TURN_MS = 8;

/**
 * Reads a page of what few messages may match. Where the process waits for each statement, it is read in windows of IDs,
 * between which others get their turn: a narrow that nothing matches would otherwise keep everybody waiting for a walk
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

/** The same by the time at which messages were sent, in seconds; from `since` on, until one is found. */
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
  /** What it costs to look at a message, in simple conditions. */
  readonly weight: number;
  readonly read: Read<T>;
}

async function walkAll<T>(
  tx: RealmReadTx,
  column: 'id' | 'sent_at',
  { all, isOlder, limit, weight, read }: Walk<T>,
): Promise<readonly T[]> {
  // Elsewhere the database takes the time, and its own limit ends a statement.
  if (tx.dialect.snapshotsAtOnce > 1) return read(all, limit);
  const found: T[] = [];
  const first = Math.max(LEAST_WIDTH, Math.ceil(FIRST_SIZE / (weight + 1)));
  for await (const window of windows(await boundsOf(tx, column, all), isOlder, first)) {
    found.push(...(await read(window, limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}

/** The windows one after another, each as wide as the time that the one before it took lets it be. */
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

/** The window without what lies beyond the realm's first and last message. */
async function boundsOf(tx: RealmReadTx, column: 'id' | 'sent_at', all: Window): Promise<Window> {
  const { lowest, highest } = await endsOf(tx, column);
  if (lowest === null || highest === null) return { first: 1, last: 0 };
  return { first: Math.max(all.first, lowest), last: Math.min(all.last, highest) };
}
