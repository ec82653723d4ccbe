import type { UserId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { StoredText } from './tables.ts';

/** Rows stored by one statement. */
const CHUNK = 500;

/** What somebody has stored, or of that the keys asked for, by key. */
export function listStored(tx: RealmReadTx, userId: UserId, keys?: readonly string[]): Promise<readonly StoredText[]> {
  const own = tx.db
    .selectFrom('bot_storage')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .orderBy('storage_key');
  return (keys ? own.where(tx.dialect.anyOfText('storage_key', keys)) : own).execute();
}

/** Code points that somebody has stored, besides what is under these keys. */
export async function sizeBesides(tx: RealmReadTx, userId: UserId, keys: readonly string[]): Promise<number> {
  const { size } = await tx.db
    .selectFrom('bot_storage')
    .select(sql<number>`coalesce(sum(storage_size), 0)`.as('size'))
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where((where) => where.not(tx.dialect.anyOfText('storage_key', keys)))
    .executeTakeFirstOrThrow();
  return Number(size);
}

/** Stores texts; a key that is there already gets the new one. */
export async function putStored(tx: WriteTx, rows: readonly StoredText[]): Promise<void> {
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('bot_storage')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'storage_key']).doUpdateSet((set) => ({
          storage_value: set.ref('excluded.storage_value'),
          storage_size: set.ref('excluded.storage_size'),
        })),
      )
      .execute();
  }
}

/** Throws away all that somebody has stored, or what is under these keys; how many there were. */
export async function deleteStored(tx: RealmWriteTx, userId: UserId, keys?: readonly string[]): Promise<number> {
  const own = tx.db.deleteFrom('bot_storage').where('realm_id', '=', tx.realmId).where('user_id', '=', userId);
  const chosen = keys ? own.where(tx.dialect.anyOfText('storage_key', keys)) : own;
  return Number((await chosen.executeTakeFirst()).numDeletedRows);
}
