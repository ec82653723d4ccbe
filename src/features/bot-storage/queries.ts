import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { inChunks, sql, type WriteTx } from '#kernel/store';
import type { StoredText } from './tables.ts';

/** Rows stored by one statement. */
const CHUNK = 500;

/** Returns what the actor has stored, all of it or what is under the given keys, ordered by key. */
export function listStored(tx: ActorReadTx, keys?: readonly string[]): Promise<readonly StoredText[]> {
  const own = tx.db
    .selectFrom('bot_storage')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .orderBy('storage_key');
  return (keys ? own.where(tx.dialect.anyOfText('storage_key', keys)) : own).execute();
}

/** Counts the code points that the actor has stored under other keys than these. */
export async function sizeBesides(tx: ActorReadTx, keys: readonly string[]): Promise<number> {
  const { size } = await tx.db
    .selectFrom('bot_storage')
    .select(sql<number>`coalesce(sum(storage_size), 0)`.as('size'))
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where((where) => where.not(tx.dialect.anyOfText('storage_key', keys)))
    .executeTakeFirstOrThrow();
  return Number(size);
}

/** Stores texts; an existing key gets the new value. */
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

/** Deletes all that the actor has stored, or what is under the given keys; returns how many keys there were. */
export async function deleteStored(tx: ActorWriteTx, keys?: readonly string[]): Promise<number> {
  const { realmId, userId } = tx.actor;
  const own = tx.db.deleteFrom('bot_storage').where('realm_id', '=', realmId).where('user_id', '=', userId);
  const chosen = keys ? own.where(tx.dialect.anyOfText('storage_key', keys)) : own;
  return Number((await chosen.executeTakeFirst()).numDeletedRows);
}
