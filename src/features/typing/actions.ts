import type { Actor, ActorReadTx } from '#kernel/auth';
import { ParameterMissing } from '#kernel/errors';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { accessChannel, subscribersOf } from '#features/channels';
import { holdsInChannel } from '#features/groups';
import { accessMessage, recipientsOf, maySend, NotAuthorizedToSend, PostingRefused } from '#features/messages';
import { settingsOf } from '#features/user-settings';
import { apiEmail, findUser, findUsers, type UserRow } from '#features/users';
import * as errors from './errors.ts';
import { typingEditEvents, typingEvents, type TypingOp } from './events.ts';
import { requestedTopic } from '#kernel/text';

/** Most people of a conversation who get typing events; in larger ones nobody does. See protocol/typing#audience. */
const MAX_RECEIVERS = 100;

/** Sends a typing event to the people of a direct conversation. See protocol/typing#channel. */
export async function typeToPeople(
  context: Context,
  actor: Actor,
  { op, to }: { readonly op: TypingOp; readonly to: readonly UserId[] | undefined },
): Promise<void> {
  if (to === undefined) throw ParameterMissing({ var_name: 'to' });
  if (to.length === 0) throw errors.NobodyAddressed();
  await context.store.as(actor).write(async (tx) => {
    const sender = await senderRow(tx);
    if (!settingsOf(sender).send_private_typing_notifications) throw errors.DirectTypingDisabled();
    const found = await findUsers(tx, [...to]);
    const people = to.map((id) => visible(found.get(id), actor, id));
    const all = [...new Map([sender, ...people].map((row) => [row.id, row])).values()].toSorted((a, b) => a.id - b.id);
    if (all.length > MAX_RECEIVERS) return;
    const host = actor.realm.host;
    const payload = {
      message_type: 'direct' as const,
      sender: toPerson(sender, host),
      recipients: all.map((row) => toPerson(row, host)),
    };
    tx.emit(typingEvents[op](payload, { audience: { users: listening(all) } }));
  });
}

/** A client's report about typing in a channel. */
interface ChannelTyping {
  readonly op: TypingOp;
  readonly stream_id: ChannelId | undefined;
  readonly topic: string | undefined;
}

/** Sends a typing event to the subscribers of a channel, unless there are many. See protocol/typing#channel. */
export async function typeInChannel(
  context: Context,
  actor: Actor,
  { op, stream_id, topic }: ChannelTyping,
): Promise<void> {
  if (stream_id === undefined) throw errors.TypingChannelMissing();
  if (topic === undefined) throw errors.TypingTopicMissing();
  await context.store.as(actor).write(async (tx) => {
    const sender = await senderRow(tx);
    if (!settingsOf(sender).send_stream_typing_notifications) throw errors.ChannelTypingDisabled();
    const { channel, access } = await accessChannel(tx, stream_id);
    if (!(await holdsInChannel(tx, channel, 'can_send_message_group'))) throw PostingRefused();
    if (!maySend(channel, access)) throw NotAuthorizedToSend({ name: channel.name });
    const users = await listeningIn(tx, stream_id);
    if (users.length === 0) return;
    const payload = {
      message_type: 'stream' as const,
      sender: toPerson(sender, actor.realm.host),
      stream_id,
      topic: requestedTopic(topic),
    };
    tx.emit(typingEvents[op](payload, { audience: { users } }));
  });
}

/** Sends an event to the recipients of a message that its sender is editing. See protocol/typing#editing. */
export async function typeEdit(
  context: Context,
  actor: Actor,
  { op, message_id }: { readonly op: TypingOp; readonly message_id: MessageId },
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    const message = await accessMessage(tx, message_id);
    if (message.sender_id !== actor.userId) throw errors.TypingRefused();
    const settings = settingsOf(await senderRow(tx));
    const base = { sender_id: actor.userId, message_id };
    if (message.channel_id === null) {
      if (!settings.send_private_typing_notifications) throw errors.DirectTypingDisabled();
      const user_ids = (await recipientsOf(tx, [message])).users ?? [];
      if (user_ids.length > MAX_RECEIVERS) return;
      const users = listening([...(await findUsers(tx, [...user_ids])).values()]);
      const payload = { ...base, recipient: { type: 'direct' as const, user_ids: [...user_ids] } };
      tx.emit(typingEditEvents[op](payload, { audience: { users } }));
      return;
    }
    if (!settings.send_stream_typing_notifications) throw errors.ChannelTypingDisabled();
    const users = await listeningIn(tx, message.channel_id);
    if (users.length === 0) return;
    const recipient = { type: 'channel' as const, channel_id: message.channel_id, topic: message.topic };
    tx.emit(typingEditEvents[op]({ ...base, recipient }, { audience: { users } }));
  });
}

async function senderRow(tx: ActorReadTx): Promise<UserRow> {
  const row = await findUser(tx, tx.actor.userId);
  if (!row) throw new Error('the actor has no account');
  return row;
}

function visible(row: UserRow | undefined, actor: Actor, id: UserId): UserRow {
  if (!row || actor.viewer.hidden?.has(id)) throw errors.InvalidUserId({ id });
  return row;
}

/** The users who want typing events. */
function listening(users: readonly UserRow[]): readonly UserId[] {
  return users
    .filter((user) => user.is_active && settingsOf(user).receives_typing_notifications)
    .map((user) => user.id);
}

/** The subscribers of a channel who want to be told; nobody where subscribers are many, whose settings are not read. */
async function listeningIn(tx: RealmReadTx, channelId: ChannelId): Promise<readonly UserId[]> {
  const subscribers = (await subscribersOf(tx, [channelId])).get(channelId) ?? [];
  if (subscribers.length > MAX_RECEIVERS) return [];
  return listening([...(await findUsers(tx, subscribers)).values()]);
}

const toPerson = (row: UserRow, host: string) => ({ user_id: row.id, email: apiEmail(row, host) });
