import { type ChannelRow, listSubscriptionsOf, type Standing } from '#features/channels';
import { groupsOf } from '#features/groups';
import type { Actor, RealmRef } from '#kernel/auth';
import type { ChannelId, GroupId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** How somebody stands to several channels, with two queries at most. Groups are read only for private channels. */
export async function standingsIn(
  tx: ReadTx,
  realm: RealmRef,
  actor: Actor | null,
  channels: readonly ChannelRow[],
): Promise<ReadonlyMap<ChannelId, Standing>> {
  if (!actor || channels.length === 0) {
    const outside = { role: actor?.role ?? null, isSubscribed: false, groups: NO_GROUPS };
    return new Map(channels.map((channel) => [channel.id, outside]));
  }
  const ids = channels.map((channel) => channel.id);
  const ties = await listSubscriptionsOf(tx, realm.id, [actor.userId], ids);
  const own = new Set(ties.filter((tie) => tie.is_subscribed).map((tie) => tie.channel_id));
  const isOutside = (channel: ChannelRow) => channel.invite_only && !own.has(channel.id);
  const groups = channels.some(isOutside) ? await groupsOf(tx, realm, actor) : NO_GROUPS;
  return new Map(ids.map((id) => [id, { role: actor.role, isSubscribed: own.has(id), groups }]));
}
