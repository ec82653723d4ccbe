import { type ActorReadTx, hasActor } from '#kernel/auth';
import { asId, type ChannelId, MAX_ID, type MessageId, type UserId } from '#kernel/ids';
import { bool, idOf, int, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import type { RealmReadTx } from '#kernel/store';
import { findChannels } from '#features/channels';
import { groupsOf } from '#features/groups';
import { participantsOf } from '#features/recipients';
import { mutingOf } from './muting.ts';
import { listUnread, listUnreadForAll, type UnreadGroup } from './listing/queries.ts';
import { listGroupMentions, listMentions } from './queries.ts';
import { toWireUnread, type Unread } from './rules.ts';

/** Most unread messages that are counted: the newest ones. See protocol/flags#unread. */
const MAX_UNREAD = 50_000;

const ids = list(idOf<MessageId>());

/** The reader's unread messages, grouped by conversation. See protocol/flags#unread. */
export const unreadState = registerState({
  fetchType: 'message',
  alsoNeeds: ['update_message_flags'],
  source: 'protocol/flags#unread',
  fields: {
    unread_msgs: object({
      count: int(),
      pms: list(object({ other_user_id: idOf<UserId>(), sender_id: idOf<UserId>(), unread_message_ids: ids })),
      streams: list(object({ stream_id: idOf<ChannelId>(), topic: str(), unread_message_ids: ids })),
      huddles: list(object({ user_ids_string: str(), unread_message_ids: ids })),
      mentions: ids,
      old_unreads_missing: bool(),
    }),
  },
  read: async ({ tx, view }) => {
    const groups = hasActor(tx) ? newestOf(await listUnread(tx, MAX_UNREAD), MAX_UNREAD) : [];
    const isCut = groups.reduce((sum, { ids }) => sum + ids.length, 0) >= MAX_UNREAD;
    const shown = view.archived_channels ? groups : await inUse(tx, groups);
    const unread = hasActor(tx) ? await readUnread(tx, shown) : [];
    const options = { emptyTopicName: view.empty_topic_name, isCut };
    return { unread_msgs: toWireUnread(unread, { ...options, self: tx.actor?.userId ?? NOBODY }) };
  },
});

const NOBODY = asId<UserId>(0);

/** Leaves out archived channels. */
async function inUse(tx: RealmReadTx, groups: readonly UnreadGroup[]): Promise<readonly UnreadGroup[]> {
  const ids = new Set(groups.flatMap(({ channel_id }) => channel_id ?? []));
  const channels = await findChannels(tx, [...ids]);
  return groups.filter(({ channel_id }) => channel_id === null || channels.get(channel_id)?.is_archived === false);
}

async function readUnread(tx: ActorReadTx, groups: readonly UnreadGroup[]): Promise<readonly Unread[]> {
  if (groups.length === 0) return [];
  const isMuted = await mutingOf(tx);
  const oldest = oldestOf(groups);
  const forAll = await listUnreadForAll(tx, oldest);
  const marks = await listMentions(tx, oldest);
  const grouped = await listGroupMentions(tx, await groupsOf(tx, tx.actor), oldest);
  return groups.flatMap((group) => {
    const { channel_id: channelId, topic } = group;
    const place =
      channelId === null ? { people: participantsOf(group) ?? [] } : { channelId, topic, isMuted: isMuted(group) };
    return group.ids.map((id) => {
      const own = marks.get(id);
      return {
        id,
        place,
        isMentioned: own?.has('mentioned') === true || grouped.has(id),
        isForAll: forAll.has(id) || own?.has('topic_wildcard_mentioned') === true,
      };
    });
  });
}

function oldestOf(groups: readonly UnreadGroup[]): MessageId {
  const least = groups.reduce((sofar, { ids }) => ids.reduce((a, b) => Math.min(a, b), sofar), MAX_ID);
  return asId<MessageId>(least);
}

/** The groups with their newest messages only, at most `limit` messages in all. */
function newestOf(groups: readonly UnreadGroup[], limit: number): readonly UnreadGroup[] {
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  if (count <= limit) return groups;
  const all = groups.flatMap((group) => group.ids).toSorted((a, b) => b - a);
  const oldest = all[limit - 1] ?? 0;
  return groups.flatMap((group) => {
    const own = group.ids.filter((id) => id >= oldest);
    return own.length > 0 ? [{ ...group, ids: own }] : [];
  });
}
