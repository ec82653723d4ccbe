import { type ChannelRow, findChannels, hasSharedHistory } from '#features/channels';
import { participantsOf } from '#features/recipients';
import type { Audience } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx } from '#kernel/store';
import { usersWithFlags } from './flags/queries.ts';
import { conversationOf, type MessageHead, type MessageRow } from '../core/index.ts';

/** The recipients of messages of one conversation. */
export async function recipientsOf(tx: RealmReadTx, rows: readonly MessageHead[]): Promise<Audience> {
  const [audience = {}] = await recipientsOfEach(tx, [rows]);
  return audience;
}

/**
 * The recipients of the messages of each conversation, in the given order: in a direct conversation its participants;
 * in a public channel its subscribers and everybody who received a message, but guests only while they are subscribed,
 * unless it is open to the web; in a private channel its subscribers, or only those who received a message where history
 * is protected. The number of statements does not depend on the number
 * of conversations. See protocol/events#audiences, RCPT.
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
  const open = conversations.flat().filter((row) => channelOf(row)?.invite_only === false);
  const marked = await markedBy(tx, open);
  return conversations.map((rows) => {
    const [first] = rows;
    if (!first) return {};
    if (first.channel_id === null) return { users: participants(first) };
    const channel = channelOf(first);
    return channel ? recipientsIn(channel, rows, marked) : {};
  });
}

function recipientsIn(
  channel: ChannelRow,
  rows: readonly MessageHead[],
  marked: ReadonlyMap<MessageId, readonly UserId[]>,
): Audience {
  const messages = rows.map((row) => Number(row.id)).toSorted((a, b) => a - b);
  if (!channel.invite_only) {
    const users = [...new Set(rows.flatMap((row) => marked.get(row.id) ?? []))];
    const received = { id: channel.id, messages, received: 'any' } as const;
    return { users, channel: channel.is_web_public ? received : { ...received, guests: 'subscribed' } };
  }
  if (hasSharedHistory(channel)) return { channel: { id: channel.id, private: true } };
  return { channel: { id: channel.id, private: true, messages, received: 'required' } };
}

/** Users who received each message by a flag, perhaps without being subscribed. */
async function markedBy(
  tx: RealmReadTx,
  rows: readonly MessageHead[],
): Promise<ReadonlyMap<MessageId, readonly UserId[]>> {
  const ids = rows.map((row) => row.id);
  const marks = await usersWithFlags(tx, ['historical', 'delivered'], ids);
  return grouped(marks.map((mark) => [mark.message_id, mark.user_id]));
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
