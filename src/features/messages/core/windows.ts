import { ServerUnavailable } from '#kernel/errors';
import type { RealmReadTx } from '#kernel/store';
import { endsOf } from './queries.ts';
import { WindowWidth } from './window-width.ts';

/** A range of IDs, or of times; both ends count. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The window that leaves nothing out. */
export const EVERYTHING: Window = { first: 0, last: Number.MAX_SAFE_INTEGER };

/** Milliseconds of statements after which other requests are served. */
const TURN_MS = 8;
/** Milliseconds of statements after which a walk is given up, as a database server gives up one statement. */
const MOST_MS = 30_000;
/** After how many seconds it may be tried again. */
const RETRY_SECONDS = 5;

/**
 * Splits a window into smaller ones, for a query over each; other requests are served between them. The width of each
 * depends on how long the queries before took, unless it is fixed. Throws ServerUnavailable when all took too long.
 */
export async function* windows(
  { first, last }: Window,
  isOlder: boolean,
  { width: firstWidth, isFixed }: { readonly width: number; readonly isFixed?: true },
): AsyncGenerator<Window> {
  const next = new WindowWidth(firstWidth);
  let [low, high, turn, whole] = [first, last, performance.now(), 0];
  while (low <= high) {
    const width = isFixed === true ? firstWidth : next.width;
    const window = isOlder
      ? { first: Math.max(low, high - width + 1), last: high }
      : { first: low, last: Math.min(high, low + width - 1) };
    const began = performance.now();
    yield window;
    const now = performance.now();
    next.took(now - began);
    whole += now - began;
    if (whole > MOST_MS) throw ServerUnavailable({ 'retry-after': RETRY_SECONDS });
    if (isOlder) high = window.first - 1;
    else low = window.last + 1;
    if (now - turn < TURN_MS) continue;
    await new Promise(setImmediate);
    turn = performance.now();
  }
}

/** The window without the parts before the realm's first message and after its last. */
export async function boundsOf(tx: RealmReadTx, column: 'id' | 'sent_at', all: Window): Promise<Window> {
  const { lowest, highest } = await endsOf(tx, column);
  if (lowest === null || highest === null) return { first: 1, last: 0 };
  return { first: Math.max(all.first, lowest), last: Math.min(all.last, highest) };
}
