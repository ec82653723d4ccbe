import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import type { PlaygroundId, PlaygroundRow } from './tables.ts';

/** All playgrounds, oldest first. */
export function listPlaygrounds(tx: RealmReadTx): Promise<readonly PlaygroundRow[]> {
  return tx.db.selectFrom('realm_playground').selectAll().where('realm_id', '=', tx.realmId).orderBy('id').execute();
}

export function insertPlayground(tx: WriteTx, row: Omit<PlaygroundRow, 'id'>): Promise<PlaygroundRow> {
  return tx.db.insertInto('realm_playground').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Deletes a playground; returns false if it did not exist. */
export async function deletePlayground(tx: RealmWriteTx, id: PlaygroundId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('realm_playground')
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
