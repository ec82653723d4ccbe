import { event, type Hidden } from '#kernel/events';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { anyOf, idOf, list, literal, maybe, object, oneOf, type SchemaOf, str } from '#kernel/schema';
import { madeUpEmail } from '#features/users';
import { topicShown } from '#kernel/text';

/** Whether somebody began or stopped typing. */
export type TypingOp = 'start' | 'stop';

const person = object({ user_id: idOf<UserId>(), email: str() });
const unknown = (user_id: UserId, { host }: Hidden) => ({ user_id, email: madeUpEmail(user_id, host) });
const STALE = 'typing is not kept';

const typing = (op: TypingOp) =>
  event({
    type: 'typing',
    op,
    source: 'protocol/events#typing',
    payload: {
      message_type: oneOf('direct', 'stream'),
      sender: person,
      recipients: maybe(list(person)),
      stream_id: maybe(idOf<ChannelId>()),
      topic: maybe(str()),
    },
    variesBy: ['stream_typing_notifications', 'empty_topic_name'],
    variesByViewer: ['hidden'],
    wire: ({ topic, sender, recipients, ...others }, { hidden, ...view }) => {
      const shown = (one: SchemaOf<typeof person>) => (hidden?.has(one.user_id) ? unknown(one.user_id, hidden) : one);
      const rest = { ...others, sender: shown(sender), ...(recipients && { recipients: recipients.map(shown) }) };
      if (topic === undefined) return [rest];
      return view.stream_typing_notifications ? [{ ...rest, topic: topicShown(topic, view.empty_topic_name) }] : [];
    },
    stale: STALE,
  });

const typingEdit = (op: TypingOp) =>
  event({
    type: 'typing_edit_message',
    op,
    source: 'protocol/events#typing',
    payload: {
      sender_id: idOf<UserId>(),
      message_id: idOf<MessageId>(),
      recipient: anyOf(
        object({ type: literal('channel'), channel_id: idOf<ChannelId>(), topic: str() }),
        object({ type: literal('direct'), user_ids: list(idOf<UserId>()) }),
      ),
    },
    variesBy: ['empty_topic_name'],
    wire: ({ recipient, ...rest }, view) => {
      if (recipient.type === 'direct') return [{ ...rest, recipient }];
      return [{ ...rest, recipient: { ...recipient, topic: topicShown(recipient.topic, view.empty_topic_name) } }];
    },
    stale: STALE,
  });

/** Somebody is typing a message. See protocol/events#typing. */
export const typingEvents = { start: typing('start'), stop: typing('stop') } as const;
/** Somebody is editing a message. See protocol/events#typing. */
export const typingEditEvents = { start: typingEdit('start'), stop: typingEdit('stop') } as const;
