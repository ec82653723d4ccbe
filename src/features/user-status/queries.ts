import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { UserStatusRow } from './tables.ts';

const statuses = (tx: RealmReadTx) => tx.db.selectFrom('user_status').selectAll().where('realm_id', '=', tx.realmId);

/** Somebody's stored status. */
export function findStatus(tx: RealmReadTx, userId: UserId): Promise<UserStatusRow | undefined> {
  return statuses(tx).where('user_id', '=', userId).executeTakeFirst();
}

export function listStatuses(tx: RealmReadTx): Promise<readonly UserStatusRow[]> {
  return statuses(tx).orderBy('user_id').execute();
}

/** Stores the given members and keeps the others. */
export async function upsertStatus(
  tx: RealmWriteTx,
  userId: UserId,
  values: Partial<Omit<UserStatusRow, 'realm_id' | 'user_id'>>,
): Promise<void> {
  const nothing = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' };
  await tx.db
    .insertInto('user_status')
    .values({ realm_id: tx.realmId, user_id: userId, ...nothing, ...values })
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id']).doUpdateSet(values))
    .execute();
}
