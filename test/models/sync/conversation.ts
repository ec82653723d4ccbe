import type { Steps } from './picks.ts';

const PROPAGATED = ['change_one', 'change_later', 'change_all'];
const FLAGS = ['read', 'starred', 'collapsed'];
/** Seconds until what comes later; the first is reached while time passes. */
const LATER_S = [60, 7_200];

/** What people say, and what they do about it. */
export const CONVERSATION: Steps = {
  'say something': (p) => [
    'POST',
    '/messages',
    { type: 'channel', to: p.channelId(), topic: p.topic(), content: p.of(['hoo', '@**all** hoo', '@**topic** hoo']) },
  ],
  'mention somebody': (p) => [
    'POST',
    '/messages',
    { type: 'channel', to: p.channelId(), topic: p.topic(), content: `@**|${p.person()}** hoo` },
  ],
  whisper: (p) => ['POST', '/messages', { type: 'direct', to: p.people(), content: 'psst' }],
  'edit a message': (p) => [
    'PATCH',
    `/messages/${p.message()}`,
    { content: p.of([p.text('hoo'), `@**|${p.person()}**`, '@**all**']) },
  ],
  'move messages to a topic': (p) => [
    'PATCH',
    `/messages/${p.message()}`,
    { topic: p.topic(), propagate_mode: p.of(PROPAGATED) },
  ],
  'move messages to a channel': (p) => [
    'PATCH',
    `/messages/${p.message()}`,
    { stream_id: p.channelId(), propagate_mode: p.of(PROPAGATED), ...(p.yes() && { topic: p.topic() }) },
  ],
  'delete a message': (p) => ['DELETE', `/messages/${p.message()}`],
  'delete a topic': (p) => ['POST', `/streams/${p.channelId()}/delete_topic`, { topic_name: p.topic() }],
  flag: (p) => ['POST', '/messages/flags', { messages: p.messages(), op: p.of(['add', 'remove']), flag: p.of(FLAGS) }],
  'flag a narrow': (p) => [
    'POST',
    '/messages/flags/narrow',
    {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: p.of([[], [['is', 'dm']], [['channel', p.channelId()]], [['topic', p.topic()]]]),
      op: p.of(['add', 'remove']),
      flag: p.of(FLAGS),
    },
  ],
  'read a channel': (p) => ['POST', '/mark_stream_as_read', { stream_id: p.channelId() }],
  'read a topic': (p) => ['POST', '/mark_topic_as_read', { stream_id: p.channelId(), topic_name: p.topic() }],
  'read everything': () => ['POST', '/mark_all_as_read'],
  react: (p) => ['POST', `/messages/${p.message()}/reactions`, { emoji_name: p.of(['tada', 'heart']) }],
  'take a reaction back': (p) => ['DELETE', `/messages/${p.message()}/reactions`, { emoji_name: 'tada' }],
  'follow or mute a topic': (p) => [
    'POST',
    '/user_topics',
    { stream_id: p.channelId(), topic: p.topic(), visibility_policy: p.below(4) },
  ],
  'schedule a message': (p) => [
    'POST',
    '/scheduled_messages',
    {
      ...(p.yes()
        ? { type: 'channel', to: p.channelId(), topic: p.topic() }
        : { type: 'direct', to: [p.person(), p.person()] }),
      content: p.text('later'),
      scheduled_delivery_timestamp: p.now() + p.of(LATER_S),
    },
  ],
  'change a scheduled message': (p) => [
    'PATCH',
    `/scheduled_messages/${p.own('scheduled_messages', 'scheduled_message_id')}`,
    { content: p.text('later'), ...(p.yes() && { to: p.channelId(), type: 'channel', topic: p.topic() }) },
  ],
  'cancel a scheduled message': (p) => [
    'DELETE',
    `/scheduled_messages/${p.own('scheduled_messages', 'scheduled_message_id')}`,
  ],
  'ask to be reminded': (p) => [
    'POST',
    '/reminders',
    { message_id: p.message(), scheduled_delivery_timestamp: p.now() + p.of(LATER_S), note: p.text('do it') },
  ],
  'cancel a reminder': (p) => ['DELETE', `/reminders/${p.own('reminders', 'reminder_id')}`],
};
