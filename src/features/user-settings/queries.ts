import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { DefaultedSettings } from './settings.ts';

/** The organization's defaults for new users; empty if it has set none. */
export async function findRealmDefaults(tx: RealmReadTx): Promise<Partial<DefaultedSettings>> {
  const row = await tx.db
    .selectFrom('realm_user_default')
    .select('settings')
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

export async function upsertRealmDefaults(tx: RealmWriteTx, chosen: Partial<DefaultedSettings>): Promise<void> {
  const settings = JSON.stringify(chosen);
  await tx.db
    .insertInto('realm_user_default')
    .values({ realm_id: tx.realmId, settings })
    .onConflict((conflict) => conflict.column('realm_id').doUpdateSet({ settings }))
    .execute();
}

/** Records that a user chose these settings. */
export async function insertEdited(tx: RealmWriteTx, userId: UserId, names: readonly string[]): Promise<void> {
  await tx.db
    .insertInto('edited_setting')
    .values(names.map((name) => ({ realm_id: tx.realmId, user_id: userId, name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The settings that each user chose; users who chose none are missing from the map. */
export async function listEdited(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  names: readonly string[],
): Promise<ReadonlyMap<UserId, ReadonlySet<string>>> {
  const rows = await tx.db
    .selectFrom('edited_setting')
    .select(['user_id', 'name'])
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .where(tx.dialect.anyOfText('name', names))
    .execute();
  const edited = new Map<UserId, Set<string>>();
  for (const { user_id, name } of rows) edited.set(user_id, (edited.get(user_id) ?? new Set()).add(name));
  return edited;
}
