import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { addUndelivered, deleteUndeliveredBefore } from './queries.ts';
import type { Road } from './tables.ts';

/** Days for which counts are kept, and the days that `roost doctor` reports. */
const MAX_AGE_DAYS = 30;
export const REPORTED_DAYS = 7;

/** A notification that did not reach somebody, and why. */
export interface Undelivered {
  readonly road: Road;
  readonly reason: string;
}

function counterOf({ metrics }: Pick<Context, 'metrics'>) {
  const about = 'What did not reach people, by road and reason: each try counts';
  return metrics.counter('roost_undelivered_total', about, ['road', 'reason']);
}

/**
 * Counts notifications that did not reach people; each failed attempt counts. See protocol/notifications#undelivered.
 */
export async function noteUndelivered(
  context: Pick<Context, 'metrics'>,
  tx: RealmWriteTx,
  all: readonly Undelivered[],
): Promise<void> {
  if (all.length === 0) return;
  const counts = new Map<string, Undelivered & { count: number }>();
  for (const one of all) {
    const key = `${one.road} ${one.reason}`;
    counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const day = Math.floor(tx.now / SECONDS_PER_DAY);
  // About ten reasons, always in the same order, so that transactions cannot deadlock.
  for (const key of [...counts.keys()].toSorted()) {
    const one = counts.get(key);
    if (!one) continue;
    counterOf(context).inc({ road: one.road, reason: one.reason }, one.count);
    await addUndelivered(tx, day, one);
  }
  await deleteUndeliveredBefore(tx, day - MAX_AGE_DAYS);
}
