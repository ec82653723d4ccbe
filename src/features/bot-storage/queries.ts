import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { inChunks, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
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

/** Rows that are looked at to make a part, and most code points of a part of more than one text. */
const PART_ROWS = 500;
const PART_SIZE = 1_000_000;

/** What all accounts of an organization have stored, in parts: together it may be gigabytes. */
export async function* storedParts(tx: RealmReadTx): AsyncGenerator<readonly StoredText[]> {
  const all = sql`from bot_storage where realm_id = ${tx.realmId}`;
  const order = sql`order by user_id, storage_key limit ${sql.lit(PART_ROWS)}`;
  for (let after = sql`true`; ; ) {
    const { rows } = await sql<Omit<StoredText, 'storage_value'>>`
      select user_id, storage_key, storage_size ${all} and ${after} ${order}`.execute(tx.db);
    let size = 0;
    const count = rows.findIndex((row, index) => (size += Number(row.storage_size)) > PART_SIZE && index > 0);
    const last = rows.at(count === -1 ? -1 : count - 1);
    if (!last) return;
    const place = sql`(${last.user_id}, ${last.storage_key})`;
    const part = await sql<StoredText>`
      select * ${all} and ${after} and (user_id, storage_key) <= ${place} ${order}`.execute(tx.db);
    yield part.rows;
    after = sql`(user_id, storage_key) > ${place}`;
  }
}

/** Counts the code points, and the keys, that the actor has stored besides these keys. */
export async function sizeBesides(
  tx: ActorReadTx,
  keys: readonly string[],
): Promise<{ readonly size: number; readonly count: number }> {
  const { size, count } = await tx.db
    .selectFrom('bot_storage')
    .select([sql<number>`coalesce(sum(storage_size), 0)`.as('size'), sql<number>`count(*)`.as('count')])
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where((where) => where.not(tx.dialect.anyOfText('storage_key', keys)))
    .executeTakeFirstOrThrow();
  return { size: Number(size), count: Number(count) };
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
