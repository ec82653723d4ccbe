import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { DirectoryPersonRow } from './tables.ts';

/** What the directory did to each account of an organization. */
export async function listDirectoryPeople(tx: RealmReadTx): Promise<ReadonlyMap<UserId, DirectoryPersonRow>> {
  const rows = await tx.db.selectFrom('directory_person').selectAll().where('realm_id', '=', tx.realmId).execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Stores what the directory did to an account; columns that are not given keep their values. */
export async function setDirectoryPerson(
  tx: RealmWriteTx,
  userId: UserId,
  values: Partial<Pick<DirectoryPersonRow, 'picture_hash' | 'ended_at'>>,
): Promise<void> {
  await tx.db
    .insertInto('directory_person')
    .values({ realm_id: tx.realmId, user_id: userId, picture_hash: null, ended_at: null, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}
