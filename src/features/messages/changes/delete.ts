import type { RealmWriteTx } from '#kernel/store';
import { deleteFlagsOfAll, deleteGroupMentions } from '../reading/index.ts';
import { deleteReactionsTo, type MessageRow } from '../core/index.ts';
import { unindexMessages } from '../search/index.ts';
import { ALL_FLAGS, deleteMessageRows, listSomeMessages } from './queries.ts';

/** Removes messages with all that hangs on them, without a word to anybody. */
export async function eraseMessages(tx: RealmWriteTx, rows: readonly MessageRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await deleteFlagsOfAll(tx, ALL_FLAGS, ids);
  await deleteGroupMentions(tx, ids);
  await deleteReactionsTo(tx, ids);
  unindexMessages(tx, ids);
  await deleteMessageRows(tx, ids);
}

/** The same for up to `limit` messages of an organization that is to have none; how many there were. */
export async function eraseSomeMessages(tx: RealmWriteTx, limit: number): Promise<number> {
  const rows = await listSomeMessages(tx, limit);
  if (rows.length > 0) await eraseMessages(tx, rows);
  return rows.length;
}
