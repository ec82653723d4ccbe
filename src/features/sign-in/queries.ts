import type { RealmId, UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
import type { OneTimeLinkRow } from './tables.ts';

export async function findPasswordHash(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('user_password')
    .select('password_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function setPasswordHash(tx: WriteTx, realmId: RealmId, userId: UserId, hash: string): Promise<void> {
  const row = { realm_id: realmId, user_id: userId, password_hash: hash, changed_at: tx.now };
  await tx.db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: hash, changed_at: tx.now }))
    .execute();
}

export async function insertOneTimeLink(tx: WriteTx, row: OneTimeLinkRow): Promise<void> {
  await tx.db.deleteFrom('one_time_link').where('expires_at', '<=', tx.now).execute();
  await tx.db.insertInto('one_time_link').values(row).execute();
}

export function findOneTimeLink(
  tx: ReadTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .selectFrom('one_time_link')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** Ends somebody's links of some purposes. */
export async function deleteOneTimeLinks(
  tx: WriteTx,
  purposes: readonly OneTimeLinkRow['purpose'][],
  realmId: RealmId,
  userId: UserId,
): Promise<void> {
  await tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', realmId)
    .where('purpose', 'in', purposes)
    .where('user_id', '=', userId)
    .execute();
}

export function deleteOneTimeLink(
  tx: WriteTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .returningAll()
    .executeTakeFirst();
}
