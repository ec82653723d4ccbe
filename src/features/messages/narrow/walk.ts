import type { RealmReadTx } from '#kernel/store';
import { boundsOf, EVERYTHING, LEAST_WIDTH, type Window, windows } from '../core/index.ts';
import type { Stretch } from './merged/queries.ts';

type Read<T> = (window: Window, limit: number) => Promise<readonly T[]>;

/** Width of the first window in IDs (or seconds), times the cost of checking one message. */
const FIRST_SIZE = 16_384;

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
  const width = Math.max(LEAST_WIDTH, Math.ceil(FIRST_SIZE / (weight + 1)));
  for await (const window of windows(await boundsOf(tx, column, all), isOlder, { width })) {
    found.push(...(await read(window, limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}
