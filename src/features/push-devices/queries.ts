import type { UserId } from '#kernel/ids';
import { compiled, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { DeviceId, DeviceRow } from './tables.ts';

/** A user's devices, oldest first. */
export const listDevices = compiled(({ db, realmId }, userId: UserId) =>
  db.selectFrom('push_device').selectAll().where('realm_id', '=', realmId).where('user_id', '=', userId).orderBy('id'),
);

/** The outcome columns of a phone to which nothing was sent yet. */
export const NO_OUTCOME = { delivered_at: null, failing_since: null, failure: null };

export async function insertDevice(tx: RealmWriteTx, userId: UserId, device_key_id: number | null): Promise<DeviceId> {
  const { id } = await tx.db
    .insertInto('push_device')
    .values({
      realm_id: tx.realmId,
      user_id: userId,
      device_key_id,
      push_key: null,
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_kind: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
      ...NO_OUTCOME,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns a user's own device, locked until the commit; undefined if there is none with this ID. */
export async function lockDevice(tx: RealmWriteTx, userId: UserId, id: DeviceId): Promise<DeviceRow | undefined> {
  return tx.db
    .selectFrom('push_device')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .modifyEnd(tx.dialect.forUpdate)
    .executeTakeFirst();
}

/** Columns of a device that may change. */
export type DeviceChanges = Partial<Omit<DeviceRow, 'id' | 'realm_id' | 'user_id'>>;

export async function setDevice(tx: WriteTx, { realm_id, id }: DeviceRow, changes: DeviceChanges): Promise<void> {
  await tx.db.updateTable('push_device').set(changes).where('realm_id', '=', realm_id).where('id', '=', id).execute();
}

/** Deletes a user's own device; returns false if there is none with this ID. */
export async function deleteDevice(tx: RealmWriteTx, userId: UserId, id: DeviceId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('push_device')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes a user's devices, all or these, and returns their IDs. */
export async function deleteDevices(
  tx: RealmWriteTx,
  userId: UserId,
  ids?: readonly DeviceId[],
): Promise<readonly DeviceId[]> {
  const rows = await tx.db
    .deleteFrom('push_device')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .$if(ids !== undefined, (some) => some.where(tx.dialect.anyOf('id', ids ?? [])))
    .returning('id')
    .execute();
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** Records that the push service accepted something for these phones. */
export async function setTaken(tx: RealmWriteTx, phones: Phones, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update ${sql.table(phones)} set delivered_at = ${tx.now}, failing_since = null, failure = null
    where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}`.execute(tx.db);
}

/** Records that nothing was accepted for these phones, and why. */
export async function setNotTaken(
  tx: RealmWriteTx,
  phones: Phones,
  ids: readonly number[],
  failure: string,
): Promise<void> {
  await sql`update ${sql.table(phones)} set failure = ${failure}, failing_since = coalesce(failing_since, ${tx.now})
    where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}`.execute(tx.db);
}

/** Tables of phones with a key, and of older ones. */
type Phones = 'push_device' | 'push_token';
