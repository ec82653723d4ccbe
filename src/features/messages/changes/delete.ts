import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';
import { deleteFlagsOfAll, deleteGroupMentions } from '../flags/queries.ts';
import { deleteReactionsTo } from '../reactions/queries.ts';
import { unindexMessages } from '../search/queries.ts';
import type { MessageRow } from '../tables.ts';
import { ALL_FLAGS, deleteMessageRows, listSomeMessages } from './queries.ts';

/** Removes messages with all that hangs on them, without a word to anybody. */
export async function eraseMessages(tx: WriteTx, realmId: RealmId, rows: readonly MessageRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await deleteFlagsOfAll(tx, realmId, ALL_FLAGS, ids);
  await deleteGroupMentions(tx, realmId, ids);
  await deleteReactionsTo(tx, realmId, ids);
  unindexMessages(tx, ids);
  await deleteMessageRows(tx, realmId, ids);
}

/** The same for up to `limit` messages of an organization that is to have none; how many there were. */
export async function eraseSomeMessages(tx: WriteTx, realmId: RealmId, limit: number): Promise<number> {
  const rows = await listSomeMessages(tx, realmId, limit);
  if (rows.length > 0) await eraseMessages(tx, realmId, rows);
  return rows.length;
}
