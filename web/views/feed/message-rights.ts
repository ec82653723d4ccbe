import type { Client } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { mayIn } from '../../model/index.ts';

/** Whether the viewer may delete a message, as the server decides it. See protocol/editing#deleting. */
export function mayDelete({ model, clock }: Client, message: Message): boolean {
  const { facts } = model;
  const channel = message.stream_id === undefined ? undefined : model.channels.table.get(message.stream_id)?.channel;
  if (mayIn(facts, 'realm_can_delete_any_message_group', channel?.can_delete_any_message_group)) return true;
  const sender = model.people.table.get(message.sender_id)?.user;
  const isOwn = message.sender_id === model.me || (sender?.is_bot === true && sender.bot_owner_id === model.me);
  if (!isOwn || !mayIn(facts, 'realm_can_delete_own_message_group', channel?.can_delete_own_message_group))
    return false;
  const limit = facts.get('realm_message_content_delete_limit_seconds') ?? null;
  return limit === null || clock.now() / 1000 - message.timestamp <= limit;
}
