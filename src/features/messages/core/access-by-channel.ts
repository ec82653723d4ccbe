import { type ChannelRow, listSubscriptionsOf, type ChannelAccess } from '#features/channels';
import { groupsOf } from '#features/groups';
import type { CallerReadTx } from '#kernel/auth';
import type { ChannelId, GroupId } from '#kernel/ids';

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** How somebody stands to several channels, with two queries at most. Groups are read only for private channels. */
export async function accessByChannelIn(
  tx: CallerReadTx,
  channels: readonly ChannelRow[],
): Promise<ReadonlyMap<ChannelId, ChannelAccess>> {
  const { actor } = tx;
  if (!actor || channels.length === 0) {
    const outside = { role: actor?.role ?? null, isSubscribed: false, groups: NO_GROUPS };
    return new Map(channels.map((channel) => [channel.id, outside]));
  }
  const ids = channels.map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, [actor.userId], ids);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const isOutside = (channel: ChannelRow) => channel.invite_only && !own.has(channel.id);
  const groups = channels.some(isOutside) ? await groupsOf(tx, actor) : NO_GROUPS;
  return new Map(ids.map((id) => [id, { role: actor.role, isSubscribed: own.has(id), groups }]));
}
