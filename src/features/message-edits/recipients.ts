import type { RealmRefReadTx } from '#kernel/auth';
import type { Audience, Flags } from '#kernel/events';
import type { DeliveryId, UserId } from '#kernel/ids';
import { ascending, grouped } from '#kernel/lists';
import { isGuest } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, hasSharedHistory, periodsOfChannel, subscribersOf } from '#features/channels';
import { membersOf } from '#features/groups';
import {
  deliveredTo,
  flagsOfUsers,
  groupMentionsOf,
  type Interval,
  joined,
  placesWithin,
  type MessageHead,
  type MessageRow,
  readBy,
  type StoredFlag,
  usersWithFlags,
} from '#features/messages';
import { findUsers } from '#features/users';

/**
 * Lists everybody who has received one of the messages of a conversation, whose recipients are `audience`. See
 * protocol/events#audiences, HOLD.
 */
export async function listRecipients(
  tx: RealmReadTx,
  channel: ChannelRow | undefined,
  rows: readonly MessageHead[],
  audience: Audience,
): Promise<readonly UserId[]> {
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
 * Users who received some messages through their subscription to the channel; `by` returns which ones a user did, as
 * intervals of places among all, which ascend.
 */
interface Received {
  readonly users: readonly UserId[];
  readonly by: (user: UserId) => readonly Interval[];
}

/** Finds who received which messages. Looks at each subscription period, not at each message for each user. */
export async function receivers(
  tx: RealmReadTx,
  channel: ChannelRow,
  rows: readonly Pick<MessageRow, 'id'>[],
): Promise<Received> {
  const ids = ascending(rows.map(({ id }) => id));
  const periods = (await periodsOfChannel(tx, channel.id)).flatMap(({ user_id, first_message_id, last_message_id }) =>
    placesWithin(ids, { first: first_message_id + 1, last: last_message_id ?? Infinity }).map(
      (places) => [user_id, places] as const,
    ),
  );
  const received = grouped(periods);
  return { users: [...received.keys()], by: (user) => joined(received.get(user) ?? []) };
}

/** What each user has of some messages, as intervals of places among them, which ascend. */
export interface Owned {
  readonly all: (user: UserId) => readonly Interval[];
  /** Those that they received by deliveries. */
  readonly delivered: (user: UserId) => readonly Interval[];
}

/** Finds which of the messages (ascending) each of the users has: by subscription, by a flag or by a delivery. */
export async function ownedBy(
  tx: RealmReadTx,
  received: Received,
  { users, rows }: { readonly users: readonly UserId[]; readonly rows: readonly MessageHead[] },
): Promise<Owned> {
  const ids = rows.map(({ id }) => id);
  const flags = await flagsOfUsers(tx, users, ['historical', 'delivered'], ids);
  const flagged = grouped(
    flags.flatMap(({ user_id, message_id: id }) =>
      placesWithin(ids, { first: id, last: id }).map((places) => [user_id, places] as const),
    ),
  );
  const delivered = await deliveredPlaces(tx, users, rows);
  const all = new Map(
    users.map((user) => [user, joined([...received.by(user), ...(flagged.get(user) ?? []), ...delivered(user)])]),
  );
  return { all: (user) => all.get(user) ?? [], delivered };
}

/** The deliveries that some messages are in. */
export function deliveriesOf(rows: readonly MessageHead[]): readonly DeliveryId[] {
  return [...new Set(rows.flatMap(({ delivery_id }) => delivery_id ?? []))];
}

async function deliveredPlaces(
  tx: RealmReadTx,
  users: readonly UserId[],
  rows: readonly MessageHead[],
): Promise<Owned['delivered']> {
  const members = grouped(
    rows.flatMap(({ id, delivery_id }, place) => (delivery_id === null ? [] : [[delivery_id, { id, place }] as const])),
  );
  if (members.size === 0) return () => [];
  const deliveries = new Map(
    [...members].map(([delivery, own]) => [
      delivery,
      // Others of the topic may lie between the messages of one delivery.
      { ids: own.map(({ id }) => id), places: own.map(({ place }) => place) },
    ]),
  );
  const received = grouped(
    (await deliveredTo(tx, users, [...deliveries.keys()])).flatMap(({ delivery_id, user_id, first_id, last_id }) => {
      const { ids = [], places = [] } = deliveries.get(delivery_id) ?? {};
      return placesWithin(ids, { first: first_id, last: last_id }).flatMap((within) =>
        placesOf(places, within).map((interval) => [user_id, interval] as const),
      );
    }),
  );
  const joinedBy = new Map([...received].map(([user, places]) => [user, joined(places)]));
  return (user) => joinedBy.get(user) ?? [];
}

/** Places from one index to another, which ascend, as intervals: one if none is left out, else one for each. */
function placesOf(places: readonly number[], { first, last }: Interval): readonly Interval[] {
  const [from = 0, to = 0] = [places[first], places[last]];
  if (to - from === last - first) return [{ first: from, last: to }];
  return places.slice(first, last + 1).map((place) => ({ first: place, last: place }));
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
