import type { ChannelId, MessageId, RecipientId, UserId } from '#kernel/ids';
import {
  anyOf,
  bool,
  idOf,
  int,
  list,
  literal,
  maybe,
  nullable,
  object,
  oneOf,
  type SchemaOf,
  str,
} from '#kernel/schema';
import { EMPTY_TOPIC_NAME } from '#kernel/text';

const person = object({ id: idOf<UserId>(), email: str(), full_name: str(), is_mirror_dummy: literal(false) });

const reaction = object({
  emoji_name: str(),
  emoji_code: str(),
  reaction_type: str(),
  user_id: idOf<UserId>(),
  // The published terminal client reads this member, and fails without it (protocol/messages#message-object).
  user: object({ id: idOf<UserId>(), email: str(), full_name: str() }),
}).meta({ id: 'Reaction' });

const common = {
  id: idOf<MessageId>(),
  sender_id: idOf<UserId>(),
  sender_email: str(),
  sender_full_name: str(),
  sender_realm_str: str(),
  recipient_id: idOf<RecipientId>(),
  type: oneOf('stream', 'private'),
  stream_id: maybe(idOf<ChannelId>()),
  display_recipient: anyOf(str(), list(person)),
  subject: str(),
  timestamp: int(),
  client: str(),
  is_me_message: bool(),
  topic_links: list(object({ text: str(), url: str() })),
  reactions: list(reaction),
  submessages: list(
    object({ id: int(), message_id: idOf<MessageId>(), sender_id: idOf<UserId>(), msg_type: str(), content: str() }),
  ),
};

/** One change of a message. See protocol/messages#message-object. */
const editEntry = object({
  user_id: nullable(idOf<UserId>()),
  timestamp: int(),
  prev_content: maybe(str()),
  prev_rendered_content: maybe(str()),
  prev_topic: maybe(str()),
  topic: maybe(str()),
  prev_stream: maybe(idOf<ChannelId>()),
  stream: maybe(idOf<ChannelId>()),
}).meta({ id: 'MessageEdit' });

const changes = {
  last_edit_timestamp: maybe(int()),
  last_moved_timestamp: maybe(int()),
  edit_history: maybe(list(editEntry)),
};

/** The full form of a message, as the log stores it. */
export const fullMessage = object({
  ...common,
  ...changes,
  content: str(),
  rendered_content: str(),
  avatar_url: nullable(str()),
  gravatar_hidden: bool(),
});
export type FullMessage = SchemaOf<typeof fullMessage>;

/** A message as clients see it. See protocol/messages#message-object. */
export const wireMessage = object({
  ...common,
  ...changes,
  content: str(),
  content_type: oneOf('text/html', 'text/x-markdown'),
  avatar_url: nullable(str()),
  flags: maybe(list(str())),
  match_content: maybe(str()),
  match_subject: maybe(str()),
}).meta({ id: 'Message' });
export type WireMessage = SchemaOf<typeof wireMessage>;

/** The form in which a client wants messages. */
export interface MessageForm {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly empty_topic_name: boolean;
}

/** Converts a message to the form that a client asked for. */
export function toWireMessage(message: FullMessage, form: MessageForm): WireMessage {
  const { stream_id, last_edit_timestamp, last_moved_timestamp, edit_history } = message;
  const isFallback = message.type === 'stream' && message.subject === '' && !form.empty_topic_name;
  // Members are named one by one: copying all but some takes fifty times as long, for every message and every client.
  return {
    id: message.id,
    sender_id: message.sender_id,
    sender_email: message.sender_email,
    sender_full_name: message.sender_full_name,
    sender_realm_str: message.sender_realm_str,
    recipient_id: message.recipient_id,
    type: message.type,
    ...(stream_id !== undefined && { stream_id }),
    display_recipient: message.display_recipient,
    subject: isFallback ? EMPTY_TOPIC_NAME : message.subject,
    timestamp: message.timestamp,
    client: message.client,
    is_me_message: message.is_me_message,
    topic_links: message.topic_links,
    reactions: message.reactions,
    submessages: message.submessages,
    ...(last_edit_timestamp !== undefined && { last_edit_timestamp }),
    ...(last_moved_timestamp !== undefined && { last_moved_timestamp }),
    ...(edit_history !== undefined && { edit_history }),
    content: form.apply_markdown ? message.rendered_content : message.content,
    content_type: form.apply_markdown ? 'text/html' : 'text/x-markdown',
    avatar_url: form.client_gravatar && message.gravatar_hidden ? null : message.avatar_url,
  };
}
