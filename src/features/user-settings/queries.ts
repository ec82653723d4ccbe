import type { RealmId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
import type { DefaultedSettings } from './settings.ts';

/** What the organization chose for its new users; empty where nothing was. */
export async function findRealmDefaults(tx: ReadTx, realmId: RealmId): Promise<Partial<DefaultedSettings>> {
  const row = await tx.db
    .selectFrom('realm_user_default')
    .select('settings')
    .where('realm_id', '=', realmId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

export async function upsertRealmDefaults(
  tx: WriteTx,
  realmId: RealmId,
  chosen: Partial<DefaultedSettings>,
): Promise<void> {
  const settings = JSON.stringify(chosen);
  await tx.db
    .insertInto('realm_user_default')
    .values({ realm_id: realmId, settings })
    .onConflict((conflict) => conflict.column('realm_id').doUpdateSet({ settings }))
    .execute();
}
