import {
  groupMentionsOf,
  type MessageHead,
  flagsRemoved,
  readBy,
  type UnreadDetail,
  usersWithFlags,
} from '#features/messages';
import { membersOf } from '#features/groups';
import type { RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx } from '#kernel/store';

/** Messages, as they were before a move, and where they are now. */
interface Moved {
  readonly rows: readonly MessageHead[];
  /** The messages that a user had before. */
  readonly owned: (user: UserId) => ReadonlySet<MessageId>;
  readonly channelId: ChannelId;
  readonly topic: string;
}

/**
 * Tells users that moved messages count among their unread ones, which they did not in a channel that these users are
 * not subscribed to. See protocol/editing#moves.
 */
export async function tellUnreadAgain(tx: RealmRefWriteTx, users: readonly UserId[], moved: Moved): Promise<void> {
  const unread = await unreadBy(tx, users, moved);
  if (unread.length === 0) return;
  const isMentioned = await mentionsAmong(tx, moved.rows);
  const { channelId: stream_id, topic } = moved;
  const detailOf = (userId: UserId, id: MessageId): UnreadDetail => {
    const mark = isMentioned(userId, id) ? { mentioned: true as const } : {};
    return { type: 'stream', ...mark, stream_id, topic };
  };
  const told = unread.map(({ userId, messages }) => {
    const message_details = Object.fromEntries(messages.map((id) => [id, detailOf(userId, id)]));
    return { userId, payload: { operation: 'remove', flag: 'read', messages, all: false, message_details } as const };
  });
  // Users with the same unread messages share an event.
  for (const [one, ...others] of grouped(told.map((each) => [JSON.stringify(each.payload), each])).values())
    if (one) tx.emit(flagsRemoved(one.payload, { audience: { users: [one, ...others].map(({ userId }) => userId) } }));
}

/** What each user has and has not read, of users with at least one message. */
async function unreadBy(tx: RealmReadTx, users: readonly UserId[], { rows, owned }: Moved) {
  const read = await readBy(tx, users, rows);
  const unread = users.map((userId) => {
    const own = owned(userId);
    const messages: MessageId[] = rows.map(({ id }) => id).filter((id) => own.has(id) && !read.get(userId)?.has(id));
    return { userId, messages };
  });
  return unread.filter(({ messages }) => messages.length > 0);
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
