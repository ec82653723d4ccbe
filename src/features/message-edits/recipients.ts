import type { RealmRefReadTx } from '#kernel/auth';
import type { Flags } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { ascending, grouped } from '#kernel/lists';
import { isGuest } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, hasSharedHistory, periodsOfChannel, subscribersOf } from '#features/channels';
import { membersOf } from '#features/groups';
import {
  flagsOfUsers,
  groupMentionsOf,
  recipientsOf,
  type MessageHead,
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
  rows: readonly MessageHead[],
): Promise<readonly UserId[]> {
  const audience = await recipientsOf(tx, rows);
  if (!channel) return audience.users ?? [];
  const subscribers = (await subscribersOf(tx, [channel.id])).get(channel.id) ?? [];
  if (channel.invite_only && hasSharedHistory(channel)) return subscribers;
  const received = (await receivers(tx, channel, rows)).users;
  if (channel.invite_only) {
    const present = new Set(subscribers);
    return [...new Set([...received.filter((id) => present.has(id)), ...(audience.users ?? [])])];
  }
  return [...new Set([...subscribers, ...received, ...(audience.users ?? [])])];
}

/**
 * Users who received some messages through their subscription to the channel; `by` returns the messages of one user.
 */
interface Received {
  readonly users: readonly UserId[];
  readonly by: (user: UserId) => readonly MessageId[];
}

/** Finds who received which messages. Looks at each subscription period, not at each message for each user. */
export async function receivers(
  tx: RealmReadTx,
  channel: ChannelRow,
  rows: readonly Pick<MessageRow, 'id'>[],
): Promise<Received> {
  const ids = ascending(rows.map(({ id }) => id));
  const periods = (await periodsOfChannel(tx, channel.id)).map(({ user_id, first_message_id, last_message_id }) => {
    const until = last_message_id === undefined ? ids.length : countUpTo(ids, last_message_id);
    return [user_id, [countUpTo(ids, first_message_id), until] as const] as const;
  });
  const received = grouped(periods.filter(([, [from, until]]) => from < until));
  const by = (user: UserId) => (received.get(user) ?? []).flatMap(([from, until]) => ids.slice(from, until));
  return { users: [...received.keys()], by };
}

/** Counts the IDs that are at most `number`; they ascend. */
function countUpTo(ids: readonly number[], number: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds which of the messages each of the users has: received by subscription, or by a flag. */
export async function ownedBy(
  tx: RealmReadTx,
  received: Received,
  { users, ids }: { readonly users: readonly UserId[]; readonly ids: readonly MessageId[] },
): Promise<(user: UserId) => ReadonlySet<MessageId>> {
  const flags = await flagsOfUsers(tx, users, ['historical', 'delivered'], ids);
  const flagged = grouped(flags.map(({ user_id, message_id }) => [user_id, message_id]));
  const owned = new Map(users.map((user) => [user, new Set([...received.by(user), ...(flagged.get(user) ?? [])])]));
  return (user) => owned.get(user) ?? NOTHING;
}

const NOTHING: ReadonlySet<MessageId> = new Set();

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
