import { event } from '#kernel/events';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { bool, dict, idOf, list, literal, maybe, object, oneOf, type SchemaOf, str } from '#kernel/schema';
import { topicShown } from '#kernel/text';

const flag = oneOf('read', 'starred', 'collapsed');

/** The place of a message that became unread. */
const detail = object({
  type: oneOf('private', 'stream'),
  mentioned: maybe(literal(true)),
  user_ids: maybe(list(idOf<UserId>())),
  stream_id: maybe(idOf<ChannelId>()),
  topic: maybe(str()),
  unmuted_stream_msg: maybe(bool()),
});
export type UnreadDetail = SchemaOf<typeof detail>;

/** A reader set a flag. See protocol/events#update_message_flags. */
export const flagsAdded = event({
  type: 'update_message_flags',
  op: 'add',
  source: 'protocol/events#update_message_flags',
  payload: { operation: literal('add'), flag, messages: list(idOf<MessageId>()), all: bool() },
});

/** A reader removed a flag; messages that became unread are described. See protocol/events#update_message_flags. */
export const flagsRemoved = event({
  type: 'update_message_flags',
  op: 'remove',
  source: 'protocol/events#update_message_flags',
  payload: {
    operation: literal('remove'),
    flag,
    messages: list(idOf<MessageId>()),
    all: literal(false),
    message_details: maybe(dict(detail)),
  },
  variesBy: ['empty_topic_name'],
  wire: ({ message_details, ...rest }, view) => [
    message_details && !view.empty_topic_name
      ? { ...rest, message_details: withTopicNames(message_details) }
      : { ...rest, ...(message_details && { message_details }) },
  ],
});

function withTopicNames(details: Readonly<Record<string, UnreadDetail>>): Record<string, UnreadDetail> {
  return Object.fromEntries(
    Object.entries(details).map(([id, one]) => [
      id,
      one.topic === undefined ? one : { ...one, topic: topicShown(one.topic, false) },
    ]),
  );
}

export const flagEvents = [flagsAdded, flagsRemoved];
