import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled } from '#kernel/store';

const sealedOf = compiled(({ db, realmId }, userId: UserId) =>
  db.selectFrom('zoom_grant').select('sealed').where('realm_id', '=', realmId).where('user_id', '=', userId),
);

/** The actor's sealed Zoom grant; undefined without a connected account. */
export async function findSealedGrant(tx: ActorReadTx): Promise<string | undefined> {
  return (await sealedOf(tx, tx.actor.userId))[0]?.sealed;
}

export async function setSealedGrant(tx: ActorWriteTx, sealed: string): Promise<void> {
  await tx.db
    .insertInto('zoom_grant')
    .values({ realm_id: tx.realmId, user_id: tx.actor.userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed }))
    .execute();
}

/** Deletes the actor's grant if it is still this one; returns whether it was. */
export async function deleteSealedGrant(tx: ActorWriteTx, sealed: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('zoom_grant')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('sealed', '=', sealed)
    .executeTakeFirst();
  return numDeletedRows > 0;
}
