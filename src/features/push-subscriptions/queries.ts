import { isWithKey, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '#kernel/auth';
import { asId, type UserId } from '#kernel/ids';
import { cachedQuery, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { SubscriptionId, SubscriptionRow } from './tables.ts';

/** A user's subscriptions, oldest first. */
export function listSubscriptions(
  tx: RealmReadTx,
  userId: UserId,
  id?: SubscriptionId,
): Promise<readonly SubscriptionRow[]> {
  const all = tx.db
    .selectFrom('push_subscription')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .orderBy('id');
  return (id === undefined ? all : all.where('id', '=', id)).execute();
}

/** The subscriptions to read: a page by ID, or only some of them. */
export interface SubscriptionPage {
  readonly after: number;
  readonly limit: number;
  readonly only?: readonly number[] | undefined;
}

/** Lists subscriptions of active users: those of browsers with a valid session, and those of apps. */
export function subscriptionsOf(
  tx: RealmReadTx,
  ids: readonly UserId[],
  { after, limit, only }: SubscriptionPage = { after: 0, limit: 1000 },
): Promise<readonly SubscriptionRow[]> {
  const all = tx.db
    .selectFrom('push_subscription')
    .innerJoin('user', 'user.id', 'push_subscription.user_id')
    .leftJoin('session', 'session.id', 'push_subscription.session_id')
    .selectAll('push_subscription')
    .where('push_subscription.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('push_subscription.user_id', ids))
    .where('user.is_active', '=', true)
    .where(isWithKey(tx, 'push_subscription.device_key_id'))
    .where((row) =>
      row.or([
        row('push_subscription.session_id', 'is', null),
        row.and([
          row('session.created_at', '>', tx.now - SESSION_SECONDS),
          row('session.last_seen_at', '>', tx.now - SESSION_IDLE_SECONDS),
        ]),
      ]),
    )
    .where('push_subscription.id', '>', asId<SubscriptionId>(after))
    .orderBy('push_subscription.id')
    .limit(limit);
  return (only ? all.where(tx.dialect.anyOf('push_subscription.id', only)) : all).execute();
}

/** Whether anybody of an organization has a subscription; cached, because every reading of a message needs it. */
export const hasSubscriptions = cachedQuery(['push_subscription'], async (tx: RealmReadTx): Promise<boolean> => {
  const first = tx.db.selectFrom('push_subscription').select('id').where('realm_id', '=', tx.realmId).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
});

/** Stores a subscription. A known address gets a new owner, because a browser has one address for all its users. */
export async function putSubscription(
  tx: WriteTx,
  row: Omit<SubscriptionRow, 'id' | 'created_at' | 'delivered_at' | 'failing_since' | 'failure'>,
): Promise<SubscriptionId> {
  const fresh = { delivered_at: null, failing_since: null, failure: null, created_at: tx.now };
  const { kind, user_id, session_id, device_key_id, sealed, name } = row;
  const { id } = await tx.db
    .insertInto('push_subscription')
    .values({ ...row, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'endpoint_hash'])
        .doUpdateSet({ kind, user_id, session_id, device_key_id, sealed, name, ...fresh }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes some of a user's subscriptions and returns how many there were. */
export async function deleteSubscriptions(
  tx: RealmWriteTx,
  userId: UserId,
  ids?: readonly SubscriptionId[],
): Promise<number> {
  const all = tx.db.deleteFrom('push_subscription').where('realm_id', '=', tx.realmId).where('user_id', '=', userId);
  const { numDeletedRows } = await (ids ? all.where(tx.dialect.anyOf('id', ids)) : all).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes subscriptions that have not changed since they were read; renewed ones stay. */
export async function deleteSealed(
  tx: RealmWriteTx,
  rows: readonly Pick<SubscriptionRow, 'id' | 'sealed'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.db
    .deleteFrom('push_subscription')
    .where('realm_id', '=', tx.realmId)
    .where(
      tx.dialect.anyOf(
        'id',
        rows.map(({ id }) => id),
      ),
    )
    .where(
      tx.dialect.anyOfText(
        'sealed',
        rows.map(({ sealed }) => sealed),
      ),
    )
    .execute();
}

/** Records that the push service accepted something for these subscriptions. */
export async function setDelivered(tx: RealmWriteTx, ids: readonly SubscriptionId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .updateTable('push_subscription')
    .set({ delivered_at: tx.now, failing_since: null, failure: null })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
}

/** Records that nothing was accepted for these subscriptions, and why. */
export async function setFailed(tx: RealmWriteTx, ids: readonly SubscriptionId[], failure: string): Promise<void> {
  await tx.db
    .updateTable('push_subscription')
    .set((row) => ({ failure, failing_since: row.fn.coalesce('failing_since', row.val(tx.now)) }))
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
}

/** Deletes those of the subscriptions that have been failing since before a time. */
export async function deleteFailing(tx: RealmWriteTx, ids: readonly SubscriptionId[], before: number): Promise<void> {
  await tx.db
    .deleteFrom('push_subscription')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .where('failing_since', '<', before)
    .execute();
}
