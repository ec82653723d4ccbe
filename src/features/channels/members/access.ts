import type { ActorReadTx, CallerReadTx } from '#kernel/auth';
import type { ChannelId, GroupId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { groupsOf } from '#features/groups';
import {
  AdministrationNotAllowed,
  type ChannelRow,
  findChannel,
  findChannels,
  findChannelsByName,
  InvalidChannelId,
  InvalidChannelName,
  type Powers,
} from '../core/index.ts';
import { findSubscription, listSubscriptionsOf } from './queries.ts';
import { mayAdminister, mayKnow, mayRead, type ChannelAccess } from '../rules.ts';

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** A channel together with the caller's access to it. */
export interface AccessedChannel {
  readonly channel: ChannelRow;
  readonly access: ChannelAccess;
}

/** Reads a caller's access to a channel. Groups are read only if they can matter. */
export async function accessIn(
  tx: CallerReadTx,
  channel: ChannelRow,
  needsGroups = channel.invite_only,
): Promise<ChannelAccess> {
  const { actor } = tx;
  if (!actor) return { role: null, isSubscribed: false, groups: NO_GROUPS };
  const subscription = await findSubscription(tx, actor.userId, channel.id);
  const groups = needsGroups ? await groupsOf(tx, actor) : NO_GROUPS;
  return { role: actor.role, isSubscribed: subscription?.is_subscribed ?? false, groups };
}

/** A channel the caller may know of, or "Invalid channel ID" for everything else alike. */
export async function accessChannel(
  tx: CallerReadTx,
  id: ChannelId,
  options: { needsGroups?: boolean } = {},
): Promise<AccessedChannel> {
  const channel = await findChannel(tx, id);
  if (!channel) throw InvalidChannelId();
  const access = await accessIn(tx, channel, options.needsGroups ?? channel.invite_only);
  if (!mayKnow(channel, access)) throw InvalidChannelId();
  return { channel, access };
}

/** Returns which of these channels the caller may know of, by a fixed number of queries. */
export async function knownAmong(tx: ActorReadTx, ids: readonly ChannelId[]): Promise<ReadonlySet<ChannelId>> {
  const { actor } = tx;
  const channels = [...(await findChannels(tx, ids)).values()];
  const subscriptions = await listSubscriptionsOf(tx, [actor.userId], ids);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const groups = channels.some((channel) => channel.invite_only) ? await groupsOf(tx, actor) : NO_GROUPS;
  const isKnown = (channel: ChannelRow) =>
    mayKnow(channel, { role: actor.role, isSubscribed: own.has(channel.id), groups });
  return new Set(channels.filter(isKnown).map((channel) => channel.id));
}

/** A channel whose messages the caller may read, or "Invalid channel ID". */
export async function accessChannelContent(tx: CallerReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessChannel(tx, id);
  if (!mayRead(accessed.channel, accessed.access)) throw InvalidChannelId();
  return accessed;
}

/**
 * A channel that the caller may administer. Callers who can read the channel get "not allowed"; everyone else gets
 * "invalid channel". See protocol/channels#update-checks, step 3.
 */
export async function accessToAdminister(tx: RealmReadTx, powers: Powers, id: ChannelId): Promise<AccessedChannel> {
  const channel = await findChannel(tx, id);
  if (!channel) throw InvalidChannelId();
  const subscription = await findSubscription(tx, powers.actor.userId, id);
  const access = powers.access(subscription?.is_subscribed ?? false);
  if (mayAdminister(channel, access)) return { channel, access };
  throw mayRead(channel, access) ? AdministrationNotAllowed() : InvalidChannelId();
}

/** Channels in use by their names, each once; "Invalid channel name" for all that the caller may not know of. */
export async function accessChannelsByName(tx: ActorReadTx, names: readonly string[]): Promise<readonly ChannelRow[]> {
  const { actor } = tx;
  const found = await findChannelsByName(
    tx,
    names.map((name) => name.trim()),
  );
  const ids = [...found.values()].map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, [actor.userId], ids);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const groups = await groupsOf(tx, actor);
  const channels = new Map<ChannelId, ChannelRow>();
  for (const name of names) {
    const channel = found.get(foldCase(name.trim()));
    const isKnown = channel && mayKnow(channel, { role: actor.role, isSubscribed: own.has(channel.id), groups });
    if (!isKnown || channel.is_archived) throw InvalidChannelName({ name });
    channels.set(channel.id, channel);
  }
  return [...channels.values()];
}
