import type { RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import { grouped, inTurn } from '#kernel/lists';
import { inParts } from '#kernel/store';
import { announceVisibility, findUsers, readVisibility, type UserRow } from '#features/users';
import {
  endPeriods,
  endSubscriptions,
  guestsConcerned,
  listSubscriptionsOf,
  newestMessageId,
  knowingBySubscription,
  tellPeers,
} from '../members/index.ts';
import { channelDeleted, peersRemoved, subscriptionRemoved } from '../events.ts';
import { addToSubscriberCounts, type ChannelRow } from '../core/index.ts';
import { channelsAtOnce } from '../rules.ts';

/** The outcome of unsubscribing: pairs of user and channel. */
export interface Unsubscribed {
  readonly removed: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
  readonly absent: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
}

/** Unsubscribes users from channels, with the events of protocol/events#order. Rights have been checked. */
export async function removeSubscribers(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  userIds: readonly UserId[],
): Promise<Unsubscribed> {
  const parts = await inParts(channels, channelsAtOnce(userIds), (some) => removeSome(tx, some, userIds));
  return { removed: parts.flatMap(({ removed }) => removed), absent: parts.flatMap(({ absent }) => absent) };
}

async function removeSome(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  userIds: readonly UserId[],
): Promise<Unsubscribed> {
  const position = await lockLog(tx);
  const channelIds = channels.map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, userIds, channelIds);
  const active = new Set(
    subscriptions
      .filter((subscription) => subscription.is_subscribed)
      .map((subscription) => `${subscription.user_id}:${subscription.channel_id}`),
  );
  const pairs = channels.flatMap((channel) => userIds.map((userId) => ({ userId, channel })));
  const isActive = ({ userId, channel }: (typeof pairs)[number]) => active.has(`${userId}:${channel.id}`);
  const removed = pairs.filter(isActive);
  if (removed.length > 0) {
    const people = [...(await findUsers(tx, userIds)).values()];
    const visibility = await readVisibility(tx, await guestsConcerned(tx, channelIds, people));
    await endSubscriptions(tx, userIds, channelIds);
    await endPeriods(tx, userIds, channelIds, { position, messageId: await newestMessageId(tx) });
    await announce(tx, channels, people, active);
    await announceVisibility(tx, visibility);
  }
  return { removed, absent: pairs.filter((pair) => !isActive(pair)) };
}

/**
 * Sends subscription/remove to those who leave, stream/delete to those who no longer know of the channel, then
 * peer_remove.
 */
async function announce(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  people: readonly UserRow[],
  active: ReadonlySet<string>,
): Promise<void> {
  const leaving = channels
    .map((channel) => ({ channel, people: people.filter((person) => active.has(`${person.id}:${channel.id}`)) }))
    .filter((change) => change.people.length > 0);
  const memberships = leaving.map(({ channel }) => ({ channel_id: channel.id }));
  for (const [users, left] of usersByChannels(leaving)) {
    const subscriptions = left.map(({ id, name }) => ({ stream_id: id, name }));
    const archived = left.filter((channel) => channel.is_archived).map(({ id }) => id);
    tx.emit(subscriptionRemoved({ subscriptions, archived }, { audience: { users }, memberships }));
  }
  const changes = leaving.map(({ channel, people: gone }) => ({
    channel,
    userIds: gone.filter((person) => person.is_active).map((person) => person.id),
  }));
  await addToSubscriberCounts(tx, new Map(changes.map(({ channel, userIds }) => [channel.id, -userIds.length])));
  const knowing = inTurn(await knowingBySubscription(tx, leaving));
  for (const { channel } of leaving) {
    const users = knowing();
    if (users.length === 0) continue;
    const streams = [{ stream_id: channel.id }];
    const deleted = { stream_ids: [channel.id], streams, for_archiving: false };
    tx.emit(channelDeleted(deleted, { audience: { users } }));
  }
  await tellPeers(tx, peersRemoved, changes);
}

/** Users who leave the same channels share an event. */
function usersByChannels(
  leaving: readonly { readonly channel: ChannelRow; readonly people: readonly UserRow[] }[],
): Iterable<readonly [readonly UserId[], readonly ChannelRow[]]> {
  const left = grouped(leaving.flatMap(({ channel, people }) => people.map(({ id }) => [id, channel] as const)));
  const groups = new Map<string, [UserId[], readonly ChannelRow[]]>();
  for (const [userId, channels] of left) {
    const ids: readonly ChannelId[] = channels.map((channel) => channel.id);
    const group = groups.get(ids.join());
    if (group) group[0].push(userId);
    else groups.set(ids.join(), [[userId], channels]);
  }
  return groups.values();
}
