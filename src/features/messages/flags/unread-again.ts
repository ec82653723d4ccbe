import type { RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { ChannelRow } from '#features/channels';
import { membersOf } from '#features/groups';
import { findHeads, type MessageHead } from '../core/index.ts';
import { groupMentionsOf, listUnreadBy, usersWithFlags } from '../reading/index.ts';
import { flagsRemoved, type UnreadDetail } from './events.ts';

interface Joining {
  readonly joined: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
}

/**
 * Tells people who subscribe to channels what they have not read there: messages that they had before these were moved
 * to the channel. See protocol/events#update_message_flags.
 */
export async function tellWhatIsUnread(tx: RealmRefWriteTx, { joined }: Joining): Promise<void> {
  const pairs = new Set(joined.map(({ userId, channel }) => `${userId}:${channel.recipient_id}`));
  const rows = await listUnreadBy(
    tx,
    [...new Set(joined.map(({ userId }) => userId))],
    [...new Set(joined.map(({ channel }) => channel.recipient_id))],
  );
  const unread = rows.filter((row) => pairs.has(`${row.user_id}:${row.recipient_id}`));
  await tellUnread(tx, grouped(unread.map((row) => [row.user_id, row.id])));
}

/** Tells users that messages in channels count among their unread ones, which did not before. */
export async function tellUnread(
  tx: RealmRefWriteTx,
  unread: ReadonlyMap<UserId, readonly MessageId[]>,
): Promise<void> {
  const ids = [...new Set([...unread.values()].flat())];
  if (ids.length === 0) return;
  const heads = await findHeads(tx, ids);
  const isMentioned = await mentionsAmong(tx, heads);
  const byId = new Map(heads.map((head) => [head.id, head]));
  const told = [...unread].flatMap(([userId, own]) => {
    const rows = own.flatMap((id) => byId.get(id) ?? []);
    const message_details = Object.fromEntries(rows.map((row) => [row.id, detailOf(row, isMentioned(userId, row.id))]));
    const messages = rows.map(({ id }) => id);
    if (messages.length === 0) return [];
    return { userId, payload: { operation: 'remove', flag: 'read', messages, all: false, message_details } as const };
  });
  // Users with the same unread messages share an event.
  for (const [one, ...others] of grouped(told.map((each) => [JSON.stringify(each.payload), each])).values())
    if (one) tx.emit(flagsRemoved(one.payload, { audience: { users: [one, ...others].map(({ userId }) => userId) } }));
}

function detailOf({ channel_id, topic }: MessageHead, isMentioned: boolean): UnreadDetail {
  const mark = isMentioned ? { mentioned: true as const } : {};
  return { type: 'stream', ...mark, ...(channel_id !== null && { stream_id: channel_id }), topic };
}

/** Returns a function that tells whether a message mentions a user: by name, by a group, or with everybody. */
async function mentionsAmong(
  tx: RealmRefReadTx,
  rows: readonly MessageHead[],
): Promise<(userId: UserId, id: MessageId) => boolean> {
  const ids = rows.map(({ id }) => id);
  const marks = await usersWithFlags(tx, ['mentioned', 'topic_wildcard_mentioned'], ids);
  const mentioned = new Set(marks.map(({ user_id, message_id }) => `${user_id}:${message_id}`));
  const forAll = new Set(rows.filter((row) => row.mentions_channel).map(({ id }) => id));
  const groups = await groupMentionsOf(
    tx,
    rows.filter((row) => row.mentions_groups).map(({ id }) => id),
  );
  const distinct = [...new Set([...groups.values()].flat())];
  const members = new Map(
    await Promise.all(distinct.map(async (group) => [group, new Set(await membersOf(tx, [group]))] as const)),
  );
  return (userId, id) =>
    mentioned.has(`${userId}:${id}`) ||
    forAll.has(id) ||
    groups.get(id)?.some((group) => members.get(group)?.has(userId)) === true;
}
