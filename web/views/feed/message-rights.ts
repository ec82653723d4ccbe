import type { Client } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { mayIn } from '../../model/index.ts';

/**
 * Whether the viewer may change a message's topic and its channel, by the server's rules. See protocol/editing#checks,
 * 17 and 20.
 */
export function mayMove(
  { model }: Client,
  message: { readonly stream_id?: number | undefined },
): { readonly topic: boolean; readonly channel: boolean } {
  const channel = message.stream_id === undefined ? undefined : model.channels.table.get(message.stream_id)?.channel;
  if (!channel || channel.is_archived || model.me === 0) return { topic: false, channel: false };
  const { facts } = model;
  const isAdmin = facts.get('is_admin') === true;
  return {
    topic:
      isAdmin ||
      mayIn(facts, 'realm_can_move_messages_between_topics_group', channel.can_move_messages_within_channel_group),
    channel:
      isAdmin ||
      mayIn(facts, 'realm_can_move_messages_between_channels_group', channel.can_move_messages_out_of_channel_group),
  };
}

/**
 * Returns until when the viewer may edit a message's content, in seconds; undefined when they may not. See
 * protocol/editing#checks, 2 to 4.
 */
export function editableUntil({ model, presence }: Client, message: Message): number | undefined {
  const { facts } = model;
  if (message.sender_id !== model.me || facts.get('realm_allow_message_editing') !== true) return undefined;
  if (message.submessages.length > 0) return undefined;
  const limit = facts.get('realm_message_content_edit_limit_seconds') ?? null;
  const until = limit === null ? Number.POSITIVE_INFINITY : message.timestamp + limit;
  return presence.now() < until ? until : undefined;
}

/** Whether the viewer may delete any message of a channel, and so its topics. See protocol/topics#deleting. */
export function mayDeleteAny({ model }: Client, channelId: number | undefined): boolean {
  const channel = channelId === undefined ? undefined : model.channels.table.get(channelId)?.channel;
  return mayIn(model.facts, 'realm_can_delete_any_message_group', channel?.can_delete_any_message_group);
}

/** Whether the viewer may delete a message, by the server's rules. See protocol/editing#deleting. */
export function mayDelete(client: Client, message: Message): boolean {
  if (mayDeleteAny(client, message.stream_id)) return true;
  const { model, presence } = client;
  const { facts } = model;
  const channel = message.stream_id === undefined ? undefined : model.channels.table.get(message.stream_id)?.channel;
  const sender = model.people.table.get(message.sender_id)?.user;
  const isOwn = message.sender_id === model.me || (sender?.is_bot === true && sender.bot_owner_id === model.me);
  if (!isOwn || !mayIn(facts, 'realm_can_delete_own_message_group', channel?.can_delete_own_message_group))
    return false;
  const limit = facts.get('realm_message_content_delete_limit_seconds') ?? null;
  return limit === null || presence.now() - message.timestamp <= limit;
}
