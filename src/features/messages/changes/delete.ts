import type { RealmWriteTx } from '#kernel/store';
import { deleteEmptied, deleteFlagsOfAll, deleteGroupMentions } from '../reading/index.ts';
import { deleteReactionsTo, type MessageRow } from '../core/index.ts';
import { unindexMessages } from '../search/index.ts';
import { ALL_FLAGS, deleteMessageRows, listSomeMessages } from './queries.ts';

/** Deletes messages with everything that refers to them, without an event. */
export async function eraseMessages(tx: RealmWriteTx, rows: readonly MessageRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await deleteFlagsOfAll(tx, ALL_FLAGS, ids);
  await deleteGroupMentions(tx, ids);
  await deleteReactionsTo(tx, ids);
  unindexMessages(tx, ids);
  await deleteMessageRows(tx, ids);
  await deleteEmptied(tx, [...new Set(rows.flatMap(({ delivery_id }) => delivery_id ?? []))]);
}

/** Deletes up to `limit` messages of an organization that is being erased, and returns how many. */
export async function eraseSomeMessages(tx: RealmWriteTx, limit: number): Promise<number> {
  const rows = await listSomeMessages(tx, limit);
  if (rows.length > 0) await eraseMessages(tx, rows);
  return rows.length;
}
