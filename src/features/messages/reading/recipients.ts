import { type ChannelRow, findChannels, hasSharedHistory, subscribersOf } from '#features/channels';
import { participantsOf } from '#features/recipients';
import type { Audience } from '#kernel/events';
import type { DeliveryId, MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx } from '#kernel/store';
import { deliveredInSlices } from './deliveries/queries.ts';
import { usersWithFlagsInSlices } from './flags/queries.ts';
import { placesWithin } from './intervals.ts';
import { conversationOf, type MessageHead, type MessageRow } from '../core/index.ts';

/** The recipients of messages of one conversation. */
export async function recipientsOf(tx: RealmReadTx, rows: readonly MessageHead[]): Promise<Audience> {
  const [audience = {}] = await recipientsOfEach(tx, [rows]);
  return audience;
}

/**
 * The recipients of the messages of each conversation, in the given order: in a direct conversation its participants;
 * in a public channel its subscribers and everybody who received a message, but guests only while they are subscribed,
 * unless it is open to the web; in a private channel its subscribers, or only those who received a message, by their
 * subscription or by a move, where history is protected. The number of statements does not depend on the number of
 * conversations. See protocol/events#audiences, RCPT.
 */
export async function recipientsOfEach(
  tx: RealmReadTx,
  conversations: readonly (readonly MessageHead[])[],
): Promise<readonly Audience[]> {
  const firsts = conversations.flatMap((rows) => rows.slice(0, 1));
  const channelIds = [...new Set(firsts.flatMap((row) => row.channel_id ?? []))];
  const channels = await findChannels(tx, channelIds);
  const participants = await lookUpParticipants(
    tx,
    firsts.filter((row) => row.channel_id === null),
  );
  const channelOf = (row: MessageHead) => (row.channel_id === null ? undefined : channels.get(row.channel_id));
  const marked = await markedBy(
    tx,
    conversations.map((rows) => ({ rows, channel: rows[0] && channelOf(rows[0]) })),
  );
  return conversations.map((rows, index) => {
    const [first] = rows;
    if (!first) return {};
    if (first.channel_id === null) return { users: participants(first) };
    const channel = channelOf(first);
    return channel ? recipientsIn(channel, rows, marked[index] ?? []) : {};
  });
}

function recipientsIn(channel: ChannelRow, rows: readonly MessageHead[], users: readonly UserId[]): Audience {
  const messages = rows.map((row) => Number(row.id)).toSorted((a, b) => a - b);
  if (!channel.invite_only) {
    const received = { id: channel.id, messages, received: 'any' } as const;
    return { users, channel: channel.is_web_public ? received : { ...received, guests: 'subscribed' } };
  }
  if (hasSharedHistory(channel)) return { channel: { id: channel.id, private: true } };
  return { users, channel: { id: channel.id, private: true, messages, received: 'required' } };
}

interface Placed {
  readonly rows: readonly MessageHead[];
  readonly channel: ChannelRow | undefined;
}

/**
 * Users who received a message of each conversation by a flag or a delivery: in a public channel perhaps without being
 * subscribed, in a private one with protected history those of its subscribers to whom it was moved. With shared
 * history, all subscribers count anyway.
 */
async function markedBy(tx: RealmReadTx, conversations: readonly Placed[]): Promise<readonly (readonly UserId[])[]> {
  const isMarked = ({ channel }: Placed) => channel && !(channel.invite_only && hasSharedHistory(channel));
  const placed = conversations.flatMap((one, index) =>
    isMarked(one) ? one.rows.map(({ id, delivery_id }) => ({ id, delivery_id, index })) : [],
  );
  const indexes = new Map(placed.map(({ id, index }) => [id, index]));
  const users = conversations.map(() => new Set<UserId>());
  for await (const marks of usersWithFlagsInSlices(tx, ['historical', 'delivered'], [...indexes.keys()]))
    for (const { message_id, user_id } of marks) users[indexes.get(message_id) ?? -1]?.add(user_id);
  await addReceivers(tx, placed, users);
  const closed = conversations.flatMap(({ channel }, index) =>
    channel?.invite_only && users[index]?.size ? [channel.id] : [],
  );
  const subscribers = await subscribersOf(tx, [...new Set(closed)]);
  return conversations.map(({ channel }, index) => {
    const marked = [...(users[index] ?? [])];
    if (!channel?.invite_only) return marked;
    const present = new Set(subscribers.get(channel.id));
    return marked.filter((user) => present.has(user));
  });
}

interface Indexed {
  readonly id: MessageId;
  readonly delivery_id: DeliveryId | null;
  readonly index: number;
}

/** Adds users who received some of the messages by deliveries to those of the same index. */
async function addReceivers(tx: RealmReadTx, messages: readonly Indexed[], users: readonly Set<UserId>[]) {
  const moved = messages.flatMap(({ delivery_id, ...one }) =>
    delivery_id === null ? [] : [[delivery_id, one] as const],
  );
  const deliveries = new Map(
    [...grouped(moved)].map(([delivery, own]) => {
      const byIndex = grouped(own.map(({ index, id }) => [index, id]));
      return [delivery, [...byIndex].map(([index, ids]) => ({ index, ids: ids.toSorted((a, b) => a - b) }))];
    }),
  );
  for await (const rows of deliveredInSlices(tx, [...deliveries.keys()]))
    for (const { delivery_id, user_id, first_id, last_id } of rows)
      for (const { index, ids } of deliveries.get(delivery_id) ?? []) {
        const known = users[index];
        if (known?.has(user_id) === false && placesWithin(ids, { first: first_id, last: last_id }).length > 0)
          known.add(user_id);
      }
}

/** Everybody in a direct message's conversation. */
export async function participantsOfMessage(
  tx: RealmReadTx,
  message: Pick<MessageRow, 'recipient_id'>,
): Promise<readonly UserId[]> {
  return (await lookUpParticipants(tx, [message]))(message);
}

/**
 * Looks up the conversations of direct messages; the returned function gives the participants of a message's
 * conversation.
 */
async function lookUpParticipants(
  tx: RealmReadTx,
  messages: readonly Pick<MessageRow, 'recipient_id'>[],
): Promise<(message: Pick<MessageRow, 'recipient_id'>) => readonly UserId[]> {
  const ids = [...new Set(messages.map((message) => message.recipient_id))];
  const keys = await conversationOf(tx, ids);
  return ({ recipient_id }) => participantsOf({ participants_key: keys.get(recipient_id) ?? null }) ?? [];
}
