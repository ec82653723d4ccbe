import type { RecipientId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmWriteTx } from '#kernel/store';
import type { ReadIntervalRow } from '../core/index.ts';
import { type Interval, spanOf } from './intervals.ts';
import { deleteIntervals, insertIntervals, listIntervals } from './queries.ts';

/** An interval of a user's conversation, as given to a change. */
export interface Given<I extends Interval = Interval> {
  readonly userId: UserId;
  readonly recipient_id: RecipientId;
  readonly interval: I;
}

type Combine<I> = (known: readonly Interval[], given: readonly I[]) => readonly Interval[];

/**
 * Replaces the intervals of each user and conversation that a change names by the result of `combine` for the stored
 * and the given intervals; unchanged rows are not touched. Three queries for any number of conversations. Returns how
 * many rows were deleted and inserted.
 */
export async function changeIntervals<I extends Interval>(
  tx: RealmWriteTx,
  given: readonly Given<I>[],
  combine: Combine<I>,
): Promise<number> {
  const span = spanOf(given.flatMap(({ interval }) => [interval.first, interval.last]));
  const users = [...new Set(given.map(({ userId }) => userId))];
  const recipients = [...new Set(given.map(({ recipient_id }) => recipient_id))];
  const rows = await listIntervals(tx, users, recipients, span);
  const known = grouped(rows.map((row) => [placeOf(row.user_id, row.recipient_id), row]));
  const gone: number[] = [];
  const fresh: Omit<ReadIntervalRow, 'id'>[] = [];
  for (const [place, list] of grouped(given.map((one) => [placeOf(one.userId, one.recipient_id), one]))) {
    const own = known.get(place) ?? [];
    const intervals = list.map(({ interval }) => interval);
    const { surplus, missing } = differences(own, combine(own.map(toInterval), intervals));
    gone.push(...surplus.map((row) => row.id));
    for (const { userId, recipient_id } of list.slice(0, 1))
      for (const { first, last } of missing)
        fresh.push({ realm_id: tx.realmId, user_id: userId, recipient_id, first_id: first, last_id: last });
  }
  await deleteIntervals(tx, gone);
  await insertIntervals(tx, fresh);
  return gone.length + fresh.length;
}

/** Rows to delete, and intervals to insert. */
function differences(rows: readonly ReadIntervalRow[], wanted: readonly Interval[]) {
  const stored = new Set(rows.map((row) => keyOf(toInterval(row))));
  const keys = new Set(wanted.map(keyOf));
  return {
    surplus: rows.filter((row) => !keys.has(keyOf(toInterval(row)))),
    missing: wanted.filter((interval) => !stored.has(keyOf(interval))),
  };
}

/** A user's conversation, as the key of a map. */
export const placeOf = (userId: UserId, recipientId: RecipientId): string => `${userId}:${recipientId}`;
const toInterval = (row: ReadIntervalRow): Interval => ({ first: row.first_id, last: row.last_id });
const keyOf = ({ first, last }: Interval): string => `${first}-${last}`;
