import type { RealmRefReadTx } from '#kernel/auth';
import type { Flags } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, hasSharedHistory, periodsOfChannel, subscribersOf } from '#features/channels';
import { membersOf } from '#features/groups';
import {
  groupMentionsOf,
  recipientsOf,
  type MessageRow,
  readBy,
  type StoredFlag,
  usersWithFlags,
} from '#features/messages';
import { findUsers } from '#features/users';

/** Lists everybody who has received one of the messages of a conversation. See protocol/events#audiences, HOLD. */
export async function listRecipients(
  tx: RealmReadTx,
  channel: ChannelRow | undefined,
  rows: readonly MessageRow[],
): Promise<readonly UserId[]> {
  const audience = await recipientsOf(tx, rows);
  if (!channel) return audience.users ?? [];
  const subscribers = (await subscribersOf(tx, [channel.id])).get(channel.id) ?? [];
  if (channel.invite_only && hasSharedHistory(channel)) return subscribers;
  const received = (await receivers(tx, channel, rows)).keys();
  if (channel.invite_only) {
    const present = new Set(subscribers);
    return [...received].filter((id) => present.has(id));
  }
  return [...new Set([...subscribers, ...received, ...(audience.users ?? [])])];
}

/** The messages that each user received by being subscribed to the channel. */
export async function receivers(
  tx: RealmReadTx,
  channel: ChannelRow,
  rows: readonly Pick<MessageRow, 'id'>[],
): Promise<ReadonlyMap<UserId, ReadonlySet<MessageId>>> {
  const received = new Map<UserId, Set<MessageId>>();
  for (const { user_id, first_message_id, last_message_id } of await periodsOfChannel(tx, channel.id)) {
    const ids = rows
      .map((row) => row.id)
      .filter((id) => id > first_message_id && (last_message_id === undefined || id <= last_message_id));
    if (ids.length === 0) continue;
    const own = received.get(user_id) ?? new Set();
    for (const id of ids) own.add(id);
    received.set(user_id, own);
  }
  return received;
}

/** The messages that each user has: received by subscription, or by a flag. */
export async function ownedBy(
  tx: RealmReadTx,
  channel: ChannelRow,
  rows: readonly Pick<MessageRow, 'id'>[],
): Promise<ReadonlyMap<UserId, ReadonlySet<MessageId>>> {
  const owned = new Map([...(await receivers(tx, channel, rows))].map(([id, own]) => [id, new Set(own)]));
  const ids = rows.map(({ id }) => id);
  for (const { user_id, message_id } of await usersWithFlags(tx, ['historical', 'delivered'], ids)) {
    const own = owned.get(user_id) ?? new Set();
    owned.set(user_id, own.add(message_id));
  }
  return owned;
}

/** Returns which of the users may read messages that are moved to a channel. See protocol/editing#moves. */
export async function readersAmong(
  tx: RealmReadTx,
  channel: ChannelRow,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (channel.is_web_public) return new Set(userIds);
  const subscribers = new Set((await subscribersOf(tx, [channel.id])).get(channel.id));
  const users = await findUsers(tx, userIds);
  return new Set(
    userIds.filter((id) => {
      const user = users.get(id);
      return subscribers.has(id) || (!channel.invite_only && user !== undefined && !isGuest(user));
    }),
  );
}

const STORED = [
  'starred',
  'collapsed',
  'has_alert_word',
  'historical',
  'mentioned',
  'topic_wildcard_mentioned',
] as const;

/** The flags that each of the users has on a message, for an event. */
export async function flagsOfAll(tx: RealmRefReadTx, message: MessageRow, userIds: readonly UserId[]): Promise<Flags> {
  const reads = await readBy(tx, userIds, [message]);
  const rows = await usersWithFlags(tx, STORED, [message.id]);
  const having = (flag: StoredFlag) => rows.filter((row) => row.flag === flag).map((row) => row.user_id);
  const historical = new Set(having('historical'));
  const groups = (await groupMentionsOf(tx, [message.id])).get(message.id) ?? [];
  const grouped = (await membersOf(tx, groups)).filter((id) => !historical.has(id));
  const everybody = message.mentions_channel ? userIds.filter((id) => !historical.has(id)) : [];
  const topic = having('topic_wildcard_mentioned');
  const flags: Readonly<Record<string, readonly UserId[]>> = {
    read: userIds.filter((id) => reads.get(id)?.has(message.id)),
    starred: having('starred'),
    collapsed: having('collapsed'),
    has_alert_word: having('has_alert_word'),
    historical: having('historical'),
    mentioned: [...new Set([...having('mentioned'), ...grouped])],
    stream_wildcard_mentioned: everybody,
    topic_wildcard_mentioned: topic,
    wildcard_mentioned: [...new Set([...everybody, ...topic])],
  };
  return Object.fromEntries(Object.entries(flags).filter(([, users]) => users.length > 0));
}
