import { type ChannelRow, findChannel, findChannels, renewFirstMessages } from '#features/channels';
import { holdsInChannel, holdsInRealm } from '#features/groups';
import { accessMessage, accessMessages, eraseMessages, recipientsOfEach, type MessageRow } from '#features/messages';
import { readRealm, settingsOf } from '#features/realms';
import { releaseAttachments } from '#features/uploads';
import { findUser } from '#features/users';
import type { Actor, ActorReadTx, RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { grouped, inTurn } from '#kernel/lists';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { AlreadyDeleted, DeletingRefused, DeletingTimePassed } from './errors.ts';
import { messagesDeleted } from './events.ts';
import { messagesErased } from './signals.ts';

/** Deletes a message for everybody. See protocol/editing#deleting. */
export async function deleteMessage(context: Context, actor: Actor, id: MessageId): Promise<void> {
  await context.store.as(actor).read((tx) => accessMessage(tx, id));
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const [message] = await accessMessages(tx, [id]);
    if (!message) throw AlreadyDeleted();
    await assertMayDelete(tx, message);
    await deleteMessages(context, tx, [message], actor.userId);
  });
}

/** Throws unless the actor may delete a message they can read. See protocol/editing#deleting, checks 2 to 5. */
async function assertMayDelete(tx: ActorReadTx, message: MessageRow): Promise<void> {
  if (await holdsHereOrThere(tx, message, 'can_delete_any_message_group')) return;
  const isOwn = message.sender_id === tx.actor.userId || (await ownsBot(tx, message));
  if (!isOwn || !(await holdsHereOrThere(tx, message, 'can_delete_own_message_group'))) throw DeletingRefused();
  const limit = settingsOf(await readRealm(tx)).message_content_delete_limit_seconds;
  if (limit !== null && tx.now - message.sent_at > limit) throw DeletingTimePassed();
}

/** Whether somebody holds a permission in the whole organization, or in the message's channel. */
async function holdsHereOrThere(
  tx: ActorReadTx,
  message: MessageRow,
  name: 'can_delete_any_message_group' | 'can_delete_own_message_group',
): Promise<boolean> {
  if (await holdsInRealm(tx, name)) return true;
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  return channel !== undefined && holdsInChannel(tx, channel, name);
}

async function ownsBot(tx: ActorReadTx, message: MessageRow): Promise<boolean> {
  const sender = await findUser(tx, message.sender_id);
  return sender?.is_bot === true && sender.bot_owner_id === tx.actor.userId;
}

/**
 * Deletes messages with everything that belongs to them, and emits one event for each conversation to their recipients
 * and to the user who deletes them. The caller has checked permissions and locked the log. See
 * protocol/events#delete_message.
 */
export async function deleteMessages(
  context: Context,
  tx: RealmRefWriteTx,
  messages: readonly MessageRow[],
  deleter?: UserId,
): Promise<void> {
  const conversations = [...groupByTopic(messages).values()];
  const recipients = inTurn(await recipientsOfEach(tx, conversations));
  const events = conversations.map((rows) => {
    const audience = recipients();
    const users = [...(audience.users ?? []), ...(deleter ? [deleter] : [])];
    return messagesDeleted(payloadOf(rows), { audience: { ...audience, users } });
  });
  await eraseMessages(tx, messages);
  const messageIds = messages.map((row) => row.id);
  await releaseAttachments(tx, messageIds);
  await messagesErased.send(tx, { messageIds }, context);
  await renewFirstMessages(tx, await channelsWithoutTheirFirst(tx, messages));
  for (const event of events) tx.emit(event);
}

/** Finds the channels whose first message is among the deleted ones. */
export async function channelsWithoutTheirFirst(
  tx: RealmReadTx,
  gone: readonly Pick<MessageRow, 'id' | 'channel_id'>[],
): Promise<readonly ChannelRow[]> {
  const ids = new Set(gone.map((row) => row.id));
  const channels = await findChannels(tx, [...new Set(gone.flatMap((row) => row.channel_id ?? []))]);
  return [...channels.values()].filter(({ first_message_id: first }) => first !== null && ids.has(first));
}

function payloadOf(rows: readonly MessageRow[]) {
  const message_ids = rows.map((row) => row.id).toSorted((a, b) => a - b);
  const [first] = rows;
  if (!first || first.channel_id === null) return { message_type: 'private' as const, message_ids };
  return { message_type: 'stream' as const, message_ids, stream_id: first.channel_id, topic: first.topic };
}

function groupByTopic(messages: readonly MessageRow[]): ReadonlyMap<string, readonly MessageRow[]> {
  return grouped(messages.map((row) => [`${row.recipient_id}:${row.topic_key}`, row]));
}
