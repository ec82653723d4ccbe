import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { inChunks, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
import type { StoredText } from './tables.ts';

/** Rows stored by one statement. */
const CHUNK = 500;

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
    const last = rows[lengthOfPart(rows, PART_SIZE) - 1];
    if (!last) return;
    const place = sql`(${last.user_id}, ${last.storage_key})`;
    const part = await sql<StoredText>`
      select * ${all} and ${after} and (user_id, storage_key) <= ${place} ${order}`.execute(tx.db);
    yield part.rows;
    after = sql`(user_id, storage_key) > ${place}`;
  }
}

/** A part of what the actor has stored, and whether it is the last. */
interface OwnPart {
  readonly rows: readonly StoredText[];
  readonly isLast: boolean;
}

/** Most code points of a part of an answer of more than one text. */
const ANSWER_PART_SIZE = 250_000;

/** What the actor has stored, or what is under the given keys: the part after a key, ordered by key. */
export async function ownPart(tx: ActorReadTx, after: string | undefined, keys?: readonly string[]): Promise<OwnPart> {
  let own = tx.db
    .selectFrom('bot_storage')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .orderBy('storage_key');
  if (keys) own = own.where(tx.dialect.anyOfText('storage_key', keys));
  if (after !== undefined) own = own.where('storage_key', '>', after);
  const sizes = await own.select(['storage_key', 'storage_size']).limit(PART_ROWS).execute();
  const count = lengthOfPart(sizes, ANSWER_PART_SIZE);
  const last = sizes[count - 1];
  if (!last) return { rows: [], isLast: true };
  const rows = await own.selectAll().where('storage_key', '<=', last.storage_key).limit(count).execute();
  return { rows, isLast: count === sizes.length && count < PART_ROWS };
}

/** How many of these rows make a part: the first, and others while they are no larger together. */
function lengthOfPart(rows: readonly Pick<StoredText, 'storage_size'>[], most: number): number {
  let size = 0;
  const count = rows.findIndex((row, index) => (size += Number(row.storage_size)) > most && index > 0);
  return count === -1 ? rows.length : count;
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
