import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';

export async function hasReceived(tx: RealmReadTx, mail_hash: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('received_mail')
    .select('mail_hash')
    .where('realm_id', '=', tx.realmId)
    .where('mail_hash', '=', mail_hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a mail's hash; false if it was stored before. */
export async function insertReceived(tx: RealmWriteTx, mail_hash: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('received_mail')
    .values({ realm_id: tx.realmId, mail_hash, received_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteReceivedBefore(tx: WriteTx, seconds: number): Promise<void> {
  await tx.db.deleteFrom('received_mail').where('received_at', '<', seconds).execute();
}
