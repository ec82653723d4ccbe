import { event, type WireEvent } from '#kernel/events';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { bool, idOf, int, list, maybe, nullable, object, oneOf, str } from '#kernel/schema';
import { topicShown } from '#kernel/text';

const place = {
  message_type: oneOf('stream', 'private'),
  stream_id: maybe(idOf<ChannelId>()),
  topic: maybe(str()),
};

/** Messages of one conversation were deleted. See protocol/events#delete_message. */
export const messagesDeleted = event({
  type: 'delete_message',
  source: 'protocol/events#delete_message',
  payload: { ...place, message_ids: list(idOf<MessageId>()) },
  forms: [
    { ...place, message_ids: list(idOf<MessageId>()) },
    { ...place, message_id: idOf<MessageId>() },
  ],
  variesBy: ['bulk_message_deletion', 'empty_topic_name'],
  wire: ({ message_ids, topic, ...rest }, view): readonly WireEvent[] => {
    const where = { ...rest, ...(topic !== undefined && { topic: topicShown(topic, view.empty_topic_name) }) };
    if (view.bulk_message_deletion) return [{ ...where, message_ids }];
    return message_ids.map((message_id) => ({ ...where, message_id }));
  },
  width: ({ message_ids }) => message_ids.length,
});

/** A message was changed, or it was moved with others. See protocol/events#update_message. */
export const messageUpdated = event({
  type: 'update_message',
  source: 'protocol/events#update_message',
  payload: {
    user_id: nullable(idOf<UserId>()),
    rendering_only: bool(),
    message_id: idOf<MessageId>(),
    message_ids: list(idOf<MessageId>()),
    edit_timestamp: int(),
    stream_id: maybe(idOf<ChannelId>()),
    stream_name: maybe(str()),
    new_stream_id: maybe(idOf<ChannelId>()),
    propagate_mode: maybe(oneOf('change_one', 'change_later', 'change_all')),
    orig_subject: maybe(str()),
    subject: maybe(str()),
    topic_links: maybe(list(object({ text: str(), url: str() }))),
    orig_content: maybe(str()),
    orig_rendered_content: maybe(str()),
    content: maybe(str()),
    rendered_content: maybe(str()),
    is_me_message: maybe(bool()),
  },
  variesBy: ['empty_topic_name'],
  wire: ({ orig_subject, subject, ...rest }, view) => [
    {
      ...rest,
      ...(orig_subject !== undefined && { orig_subject: topicShown(orig_subject, view.empty_topic_name) }),
      ...(subject !== undefined && { subject: topicShown(subject, view.empty_topic_name) }),
    },
  ],
  flagged: true,
});

export const messageEditEvents = [messagesDeleted, messageUpdated];
