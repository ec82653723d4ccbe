import type { RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { RealmWriteTx } from '#kernel/store';
import { peersAdded, peersRemoved } from '../events.ts';
import { addToSubscriberCounts, type ChannelRow, findChannels } from '../core/index.ts';
import { listSubscriptions, tellPeers } from '../members/index.ts';

/**
 * A deactivated account stays subscribed, but is not counted any more, and its peers receive an event. See
 * protocol/users#deactivating, effect 5.
 */
export async function suspendSubscriptions(tx: RealmRefWriteTx, userId: UserId): Promise<void> {
  const channels = await channelsOf(tx, userId);
  await addToSubscriberCounts(tx, each(channels, -1));
  await tellPeers(tx, peersRemoved, changesOf(channels, userId));
}

/** The subscriptions of a reactivated account are counted again. See protocol/users#reactivating. */
export async function resumeSubscriptions(tx: RealmRefWriteTx, userId: UserId): Promise<void> {
  const channels = await channelsOf(tx, userId);
  await addToSubscriberCounts(tx, each(channels, 1));
  await tellPeers(tx, peersAdded, changesOf(channels, userId));
}

async function channelsOf(tx: RealmWriteTx, userId: UserId): Promise<readonly ChannelRow[]> {
  const subscriptions = await listSubscriptions(tx, userId);
  const active = subscriptions
    .filter((subscription) => subscription.is_subscribed)
    .map((subscription) => subscription.channel_id);
  return [...(await findChannels(tx, active)).values()];
}

const each = (channels: readonly ChannelRow[], change: number) =>
  new Map(channels.map((channel) => [channel.id, change]));
const changesOf = (channels: readonly ChannelRow[], userId: UserId) =>
  channels.map((channel) => ({ channel, userIds: [userId] }));
