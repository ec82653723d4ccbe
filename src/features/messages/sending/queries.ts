import type { MessageId } from '#kernel/ids';
import { type Closing, compiled, compiledLast, inChunks, type RealmWriteTx } from '#kernel/store';
import type { IdempotencyKeyRow } from '../core/index.ts';

/** The message that was sent under a key; undefined for none. */
export async function findSent(tx: RealmWriteTx, key_hash: string): Promise<MessageId | undefined> {
  const [row] = await messageOf(tx, key_hash);
  return row?.message_id;
}

const messageOf = compiled(({ db, realmId }, key_hash: string) =>
  db
    .selectFrom('idempotency_key')
    .select('message_id')
    .where('key_hash', '=', key_hash)
    .where('realm_id', '=', realmId),
);

/** Most keys stored by one statement. */
const CHUNK = 1000;

/** Stores the keys of sent messages, for all writes that share the commit. */
export const insertKeys: Closing<IdempotencyKeyRow> = async (tx, rows) => {
  if (tx.dialect.isSerial || rows.length === 1) {
    for (const row of rows) await insertKey(tx, row);
    return;
  }
  for (const chunk of inChunks(rows, CHUNK))
    await tx.db
      .insertInto('idempotency_key')
      .values([...chunk])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
};

const insertKey = compiledLast(({ db }, row: IdempotencyKeyRow) => db.insertInto('idempotency_key').values(row));

/** Deletes up to `limit` keys of messages sent before a time; returns how many. */
export async function deleteKeysBefore(tx: RealmWriteTx, before: number, limit: number): Promise<number> {
  const old = tx.db
    .selectFrom('idempotency_key')
    .select('key_hash')
    .where('realm_id', '=', tx.realmId)
    .where('sent_at', '<', before)
    .orderBy('sent_at')
    .limit(limit);
  const deleted = await tx.db
    .deleteFrom('idempotency_key')
    .where('key_hash', 'in', old)
    .returning('key_hash')
    .execute();
  return deleted.length;
}
