import type { RealmId, UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
import type { UserStatusRow } from './tables.ts';

/** Somebody's stored status. */
export function findStatus(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<UserStatusRow | undefined> {
  return tx.db
    .selectFrom('user_status')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export function listStatuses(tx: ReadTx, realmId: RealmId): Promise<readonly UserStatusRow[]> {
  return tx.db.selectFrom('user_status').selectAll().where('realm_id', '=', realmId).orderBy('user_id').execute();
}

/** Stores what is given over what was there. */
export async function upsertStatus(
  tx: WriteTx,
  realmId: RealmId,
  userId: UserId,
  values: Partial<Omit<UserStatusRow, 'realm_id' | 'user_id'>>,
): Promise<void> {
  const nothing = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' };
  await tx.db
    .insertInto('user_status')
    .values({ realm_id: realmId, user_id: userId, ...nothing, ...values })
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id']).doUpdateSet(values))
    .execute();
}
