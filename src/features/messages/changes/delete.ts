import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';
import { deleteFlagsOfAll, deleteGroupMentions } from '../flags/queries.ts';
import { deleteReactionsTo } from '../reactions/queries.ts';
import { unindexMessages } from '../search/queries.ts';
import type { MessageRow } from '../tables.ts';
import { ALL_FLAGS, deleteMessageRows } from './queries.ts';

/** Removes messages with all that hangs on them, without a word to anybody. */
export async function eraseMessages(tx: WriteTx, realmId: RealmId, rows: readonly MessageRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await deleteFlagsOfAll(tx, realmId, ALL_FLAGS, ids);
  await deleteGroupMentions(tx, realmId, ids);
  await deleteReactionsTo(tx, realmId, ids);
  await unindexMessages(tx, ids);
  await deleteMessageRows(tx, realmId, ids);
}
