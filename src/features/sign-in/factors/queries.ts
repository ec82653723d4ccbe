import { record } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { SecondFactorRow } from '../tables.ts';

export function findSecondFactor(tx: RealmReadTx, userId: UserId): Promise<SecondFactorRow | undefined> {
  return tx.db
    .selectFrom('second_factor')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores a second factor; returns false if the account has one. */
export async function insertSecondFactor(tx: RealmWriteTx, row: SecondFactorRow): Promise<boolean> {
  const made = await tx.db
    .insertInto('second_factor')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (made) recordFactor(tx, row.user_id, 'on');
  return made !== undefined;
}

/**
 * Uses up the time step of a code; returns false if it, or a later one, was used before. Of simultaneous attempts
 * exactly one succeeds.
 */
export async function takeStep(tx: RealmWriteTx, userId: UserId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(tx: RealmWriteTx, userId: UserId, hashes: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('recovery_code').where('realm_id', '=', tx.realmId).where('user_id', '=', userId).execute();
  const rows = hashes.map((code_hash) => ({ code_hash, realm_id: tx.realmId, user_id: userId }));
  if (rows.length === 0) return;
  await tx.db.insertInto('recovery_code').values(rows).execute();
  recordFactor(tx, userId, 'new recovery codes');
}

/** Uses up a recovery code; returns false if the account has no such code left. */
export async function deleteRecoveryCode(tx: RealmWriteTx, userId: UserId, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('recovery_code')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  if (numDeletedRows > 0n) recordFactor(tx, userId, 'recovery code used');
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(tx: RealmReadTx, userId: UserId): Promise<number> {
  const rows = await tx.db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .execute();
  return rows.length;
}

/** Deletes somebody's codes of an authenticator app; returns false if there were none. */
export async function deleteSecondFactor(tx: RealmWriteTx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('second_factor')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) recordFactor(tx, userId, 'off');
  return numDeletedRows > 0n;
}

function recordFactor(tx: RealmWriteTx, userId: UserId, after: string): void {
  record(tx, { action: 'user.second_factor', target: { kind: 'user', id: userId }, after });
}

/** Lists the users of an organization who have codes of an authenticator app. */
export async function listSecondFactors(tx: RealmReadTx): Promise<readonly UserId[]> {
  const rows = await tx.db.selectFrom('second_factor').select('user_id').where('realm_id', '=', tx.realmId).execute();
  return rows.map(({ user_id }) => user_id);
}
