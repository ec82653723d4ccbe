import { record } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import type { PasskeyRow } from '../../tables.ts';

const passkeys = (tx: RealmReadTx) => tx.db.selectFrom('passkey').selectAll().where('realm_id', '=', tx.realmId);

/** Most passkeys of one person. */
export const MAX_PASSKEYS = 20;

/** Somebody's passkeys, oldest first. */
export function listPasskeys(tx: RealmReadTx, userId: UserId): Promise<readonly PasskeyRow[]> {
  return passkeys(tx).where('user_id', '=', userId).orderBy('id').limit(MAX_PASSKEYS).execute();
}

/** Counts the passkeys of an organization's people by the host names for which they were made. */
export async function countPasskeys(tx: RealmReadTx): Promise<ReadonlyMap<string | null, number>> {
  const rows = await tx.db
    .selectFrom('passkey')
    .select((passkey) => ['relying_party', passkey.fn.countAll<number>().as('passkeys')])
    .where('realm_id', '=', tx.realmId)
    .groupBy('relying_party')
    .execute();
  return new Map(rows.map(({ relying_party, passkeys }) => [relying_party, Number(passkeys)]));
}

export function findPasskey(tx: RealmReadTx, credentialId: string): Promise<PasskeyRow | undefined> {
  return passkeys(tx).where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Stores a passkey; returns false if its credential ID is stored already. */
export async function insertPasskey(
  tx: RealmWriteTx,
  row: Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>,
): Promise<boolean> {
  const made = await tx.db
    .insertInto('passkey')
    .values({ ...row, created_at: tx.now, last_used_at: null })
    .onConflict((conflict) => conflict.columns(['realm_id', 'credential_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const target = { kind: 'user', id: row.user_id };
  if (made) record(tx, { action: 'user.passkey', target, after: { name: row.name } });
  return made !== undefined;
}

/**
 * Records a use of a passkey. Returns false if its authenticator keeps a counter that is not higher than before: then
 * the passkey was copied. Of simultaneous uses with the same counter exactly one succeeds.
 */
export async function touchPasskey(tx: WriteTx, { realm_id, id }: PasskeyRow, useCount: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('passkey')
    .set({ use_count: useCount, last_used_at: tx.now })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('use_count', useCount === 0 ? '=' : '<', useCount)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes one of somebody's passkeys, or all of them, and returns their names. */
export async function deletePasskeys(tx: RealmWriteTx, userId: UserId, id: number | 'all'): Promise<readonly string[]> {
  const rows = await tx.db
    .deleteFrom('passkey')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .$if(id !== 'all', (query) => query.where('id', '=', Number(id)))
    .returning('name')
    .execute();
  const target = { kind: 'user', id: userId };
  for (const { name } of rows) record(tx, { action: 'user.passkey', target, before: { name } });
  return rows.map(({ name }) => name);
}

/** Lists the users of an organization who have passkeys. */
export async function listPasskeyOwners(tx: RealmReadTx): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('passkey')
    .select('user_id')
    .distinct()
    .where('realm_id', '=', tx.realmId)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Whether an active owner has a passkey. */
export async function hasOwnerWithPasskey(tx: RealmReadTx): Promise<boolean> {
  const row = await tx.db
    .selectFrom('passkey')
    .innerJoin('user', 'user.id', 'passkey.user_id')
    .select('user.id')
    .where('passkey.realm_id', '=', tx.realmId)
    .where('user.is_active', '=', true)
    .where('user.role', '=', Role.owner)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
