import type { ChannelId, UserId } from '#kernel/ids';
import { ascending } from '#kernel/lists';
import { Role } from '#kernel/permissions';
import {
  cachedQuery,
  collectedIds,
  compiled,
  compiledColumns,
  compiledRows,
  firstOf,
  inChunks,
  type RealmReadTx,
  type RealmWriteTx,
  type WriteTx,
} from '#kernel/store';
import { type SubscriptionRow, subscription } from '../core/index.ts';

export const findSubscription = cachedQuery(
  ['subscription'],
  firstOf(
    compiled(({ db, realmId }, userId: UserId, channelId: ChannelId) =>
      db
        .selectFrom('subscription')
        .selectAll()
        .where('realm_id', '=', realmId)
        .where('user_id', '=', userId)
        .where('channel_id', '=', channelId),
    ),
  ),
);

/** A user's subscriptions, past ones included. */
export const listSubscriptions = compiledRows(subscription, ({ db, realmId }, userId: UserId) =>
  db.selectFrom('subscription').selectAll().where('realm_id', '=', realmId).where('user_id', '=', userId),
);

/** Subscriptions of several users to several channels, past ones included. */
export const listSubscriptionsOf = cachedQuery(
  ['subscription'],
  compiled(({ db, realmId, dialect }, userIds: readonly UserId[], channelIds: readonly ChannelId[]) =>
    db
      .selectFrom('subscription')
      .selectAll()
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('user_id', userIds))
      .where(dialect.anyOf('channel_id', channelIds)),
  ),
);

/** People whose colours are read at once: each may have thousands of channels. */
const PEOPLE_AT_ONCE = 50;

/** Colours each user has already. */
export async function usedColors(
  tx: RealmReadTx,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Set<string>>> {
  const colors = new Map<UserId, Set<string>>(userIds.map((id) => [id, new Set()]));
  for (const ids of inChunks(userIds, PEOPLE_AT_ONCE)) {
    const rows = await tx.db
      .selectFrom('subscription')
      .select(['user_id', 'color'])
      .distinct()
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('user_id', ids))
      .where('is_subscribed', '=', true)
      .execute();
    for (const row of rows) colors.get(row.user_id)?.add(row.color);
  }
  return colors;
}

/** Active subscribers of each channel, ascending. */
export async function subscribersOf(
  tx: RealmReadTx,
  channelIds: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, readonly UserId[]>> {
  if (channelIds.length === 0) return new Map();
  const gone = new Set((await deactivated(tx)).map((row) => row.id));
  const rows = await subscriberLists(tx, channelIds);
  const subscribers = new Map<ChannelId, readonly UserId[]>(channelIds.map((id) => [id, []]));
  for (const { channel_id, user_ids } of rows) {
    const ids = ascending(collectedIds<UserId>(user_ids));
    subscribers.set(channel_id, gone.size > 0 ? ids.filter((id) => !gone.has(id)) : ids);
  }
  return subscribers;
}

/** A separate query: with a subquery for each subscriber, reading all lists takes half as long again. */
const deactivated = cachedQuery(
  ['user'],
  compiled(({ db, realmId }) =>
    db.selectFrom('user').select('id').where('realm_id', '=', realmId).where('is_active', '=', false),
  ),
);

const subscriberLists = compiled(({ db, realmId, dialect }, channelIds: readonly ChannelId[]) =>
  db
    .selectFrom('subscription')
    .select(['channel_id', dialect.collected('user_id').as('user_ids')])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('channel_id', channelIds))
    .where('is_subscribed', '=', true)
    .groupBy('channel_id'),
);

/** Stores subscriptions; one that exists becomes active again and keeps its personal properties. */
export async function upsertSubscriptions(tx: WriteTx, rows: readonly SubscriptionRow[]): Promise<void> {
  for (const chunk of inChunks(rows, 500)) {
    await tx.db
      .insertInto('subscription')
      .values([...chunk])
      .onConflict((conflict) => conflict.columns(['user_id', 'channel_id']).doUpdateSet({ is_subscribed: true }))
      .execute();
  }
}

/** Ends the users' active subscriptions to the channels. */
export async function endSubscriptions(
  tx: RealmWriteTx,
  userIds: readonly UserId[],
  channelIds: readonly ChannelId[],
): Promise<void> {
  await tx.db
    .updateTable('subscription')
    .set({ is_subscribed: false })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .where(tx.dialect.anyOf('channel_id', channelIds))
    .where('is_subscribed', '=', true)
    .execute();
}

/** Stores one personal property of subscriptions that exist, and leaves the others as they are. */
export async function storeProperty(
  tx: WriteTx,
  property: keyof SubscriptionRow,
  rows: readonly SubscriptionRow[],
): Promise<void> {
  for (const chunk of inChunks(rows, 500)) {
    await tx.db
      .insertInto('subscription')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'channel_id'])
          .doUpdateSet((row) => ({ [property]: row.ref(`excluded.${property}`) })),
      )
      .execute();
  }
}

/** Active guests among each channel's subscribers. */
export async function guestSubscribersOf(
  tx: RealmReadTx,
  channelIds: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, readonly UserId[]>> {
  const rows = await tx.db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select(['subscription.channel_id', 'subscription.user_id'])
    .where('subscription.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('subscription.channel_id', channelIds))
    .where('subscription.is_subscribed', '=', true)
    .where('user.is_active', '=', true)
    .where('user.role', '>=', Role.guest)
    .execute();
  const guests = new Map<ChannelId, UserId[]>(channelIds.map((id) => [id, []]));
  for (const row of rows) guests.get(row.channel_id)?.push(row.user_id);
  return guests;
}

/** All bots, and the people whose last activity is not before `since`. */
export async function recentlyActive(tx: RealmReadTx, since: number): Promise<ReadonlySet<UserId>> {
  return new Set((await activeSince(tx, since)).map((row) => row.id));
}

const activeSince = compiledColumns(['id'], ({ db, realmId }, since: number) =>
  db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('is_active', '=', true)
    .where((where) => where.or([where('is_bot', '=', true), where('last_active_at', '>', since)])),
);
