import type { RealmReadTx } from '#kernel/store';
import { endsOf } from './queries.ts';

/** A range of IDs, or of times; both ends count. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The window that leaves nothing out. */
export const EVERYTHING: Window = { first: 0, last: Number.MAX_SAFE_INTEGER };

/**
 * A statement that takes fewer milliseconds than this is followed by a wider window, a longer one by a narrower window.
 */
const SHORT_MS = 3;
const LONG_MS = 12;
const WIDER = 4;
const NARROWER = 4;
export const LEAST_WIDTH = 8;
/** Milliseconds of statements after which other requests are served. */
const TURN_MS = 8;

/**
 * Splits a window into smaller ones, for a query over each; other requests are served between them. The width of each
 * depends on how long the query over the one before took, unless it is fixed.
 */
export async function* windows(
  { first, last }: Window,
  isOlder: boolean,
  { width: firstWidth, isFixed }: { readonly width: number; readonly isFixed?: true },
): AsyncGenerator<Window> {
  let [width, low, high, turn] = [firstWidth, first, last, performance.now()];
  while (low <= high) {
    const window = isOlder
      ? { first: Math.max(low, high - width + 1), last: high }
      : { first: low, last: Math.min(high, low + width - 1) };
    const began = performance.now();
    yield window;
    const now = performance.now();
    if (isFixed !== true) width = nextWidth(width, now - began);
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
export async function boundsOf(tx: RealmReadTx, column: 'id' | 'sent_at', all: Window): Promise<Window> {
  const { lowest, highest } = await endsOf(tx, column);
  if (lowest === null || highest === null) return { first: 1, last: 0 };
  return { first: Math.max(all.first, lowest), last: Math.min(all.last, highest) };
}
