import { record } from '#kernel/audit';
import type { RealmId, UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
import type { SecondFactorRow } from '../tables.ts';

export function findSecondFactor(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<SecondFactorRow | undefined> {
  return tx.db
    .selectFrom('second_factor')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores a second factor where there is none; false when there is one. */
export async function insertSecondFactor(tx: WriteTx, row: SecondFactorRow): Promise<boolean> {
  const made = await tx.db
    .insertInto('second_factor')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (made) recordFactor(tx, row.realm_id, row.user_id, 'on');
  return made !== undefined;
}

/** Takes a code's step; false when it, or a later one, was used before. Of any number at once exactly one gets it. */
export async function takeStep(tx: WriteTx, realmId: RealmId, userId: UserId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(
  tx: WriteTx,
  realmId: RealmId,
  userId: UserId,
  hashes: readonly string[],
): Promise<void> {
  await tx.db.deleteFrom('recovery_code').where('realm_id', '=', realmId).where('user_id', '=', userId).execute();
  const rows = hashes.map((code_hash) => ({ code_hash, realm_id: realmId, user_id: userId }));
  if (rows.length === 0) return;
  await tx.db.insertInto('recovery_code').values(rows).execute();
  recordFactor(tx, realmId, userId, 'new recovery codes');
}

/** Uses a recovery code up; false when it is nobody's or was used. */
export async function deleteRecoveryCode(
  tx: WriteTx,
  realmId: RealmId,
  userId: UserId,
  hash: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('recovery_code')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  if (numDeletedRows > 0n) recordFactor(tx, realmId, userId, 'recovery code used');
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<number> {
  const rows = await tx.db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .execute();
  return rows.length;
}

/** Ends somebody's codes of an app; false when there were none. */
export async function deleteSecondFactor(tx: WriteTx, realmId: RealmId, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('second_factor')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) recordFactor(tx, realmId, userId, 'off');
  return numDeletedRows > 0n;
}

function recordFactor(tx: WriteTx, realmId: RealmId, userId: UserId, after: string): void {
  record(tx, realmId, { action: 'user.second_factor', target: { kind: 'user', id: userId }, after });
}

/** Who has codes of an app in an organization. */
export async function listSecondFactors(tx: ReadTx, realmId: RealmId): Promise<readonly UserId[]> {
  const rows = await tx.db.selectFrom('second_factor').select('user_id').where('realm_id', '=', realmId).execute();
  return rows.map(({ user_id }) => user_id);
}
