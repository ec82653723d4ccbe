import type { UserId } from '#kernel/ids';
import { compiled, type RealmReadTx, type RealmWriteTx } from '#kernel/store';

const sealedOf = compiled(({ db, realmId }, userId: UserId) =>
  db.selectFrom('zoom_grant').select('sealed').where('realm_id', '=', realmId).where('user_id', '=', userId),
);

/** What somebody has granted at Zoom, sealed; undefined without a connected account. */
export async function findSealedGrant(tx: RealmReadTx, userId: UserId): Promise<string | undefined> {
  return (await sealedOf(tx, userId))[0]?.sealed;
}

export async function setSealedGrant(tx: RealmWriteTx, userId: UserId, sealed: string): Promise<void> {
  await tx.db
    .insertInto('zoom_grant')
    .values({ realm_id: tx.realmId, user_id: userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed }))
    .execute();
}

/** Deletes a grant if it is still this one; whether it was. */
export async function deleteSealedGrant(tx: RealmWriteTx, userId: UserId, sealed: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('zoom_grant')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .executeTakeFirst();
  return numDeletedRows > 0;
}
