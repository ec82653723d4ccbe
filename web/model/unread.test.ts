import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMessageEvent } from '#features/messages/apply';
import { Model } from './model.ts';
import type { RegisterState } from './register.ts';

const ME = 7;
const CHANNELS = [1, 2, 3];
const TOPICS = ['a', 'A', 'b', ''];
const NOTHING = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false };

const subscription = (stream_id: number, is_muted: boolean) => ({ stream_id, is_muted, name: `c${stream_id}` });

const place = fc.oneof(
  fc.record({ stream_id: fc.constantFrom(...CHANNELS, 9), subject: fc.constantFrom(...TOPICS) }),
  fc.record({ people: fc.uniqueArray(fc.constantFrom(11, 12, 13), { maxLength: 3 }) }),
);
// Not the wildcards: the slice forgets which mentions were for all, and so whether muting ends them.
const flags = fc.subarray(['read', 'mentioned', 'starred']);
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 6 });

const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('message'), place, flags }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('update_message_flags'),
      op: fc.constant('add'),
      flag: fc.constantFrom('read', 'starred'),
      messages: someIds,
      all: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('unread'), messages: someIds, place, mentioned: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete_message'), message_ids: someIds }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('move'),
      message_ids: someIds,
      subject: fc.constantFrom(...TOPICS),
      new_stream_id: fc.constantFrom(...CHANNELS, 9, undefined),
      flags,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('user_topic'),
      stream_id: fc.constantFrom(...CHANNELS),
      topic_name: fc.constantFrom(...TOPICS),
      visibility_policy: fc.constantFrom(0, 1, 2, 3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('mute'),
      stream_id: fc.constantFrom(...CHANNELS),
      value: fc.boolean(),
    }),
  },
);
type Made = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** The wire event of a generated one; `next` is the ID of a new message. */
function wireOf(made: Made, id: number, next: number): Record<string, unknown> {
  const base = { id };
  switch (made.type) {
    case 'message':
      return {
        ...base,
        type: 'message',
        flags: made.flags,
        message: { id: next, sender_id: 11, ...placed(made.place) },
      };
    case 'unread': {
      const detail =
        'people' in made.place
          ? { type: 'private', user_ids: made.place.people }
          : { type: 'stream', stream_id: made.place.stream_id, topic: made.place.subject };
      const one = { ...detail, ...(made.mentioned && { mentioned: true }) };
      return {
        ...base,
        type: 'update_message_flags',
        op: 'remove',
        flag: 'read',
        all: false,
        messages: made.messages,
        message_details: Object.fromEntries(made.messages.map((one_) => [one_, one])),
      };
    }
    case 'move': {
      const { message_ids, subject, new_stream_id, flags: marked } = made;
      return {
        ...base,
        type: 'update_message',
        message_id: message_ids[0] ?? 1,
        message_ids,
        flags: marked,
        subject,
        propagate_mode: 'change_all',
        ...(new_stream_id !== undefined && { new_stream_id }),
      };
    }
    case 'user_topic':
      return { ...base, ...made, last_updated: 0 };
    case 'mute':
      return {
        ...base,
        type: 'subscription',
        op: 'update',
        property: 'is_muted',
        stream_id: made.stream_id,
        value: made.value,
      };
    default:
      return { ...base, ...made };
  }
}

function placed(at: { stream_id: number; subject: string } | { people: number[] }) {
  if (!('people' in at)) return { ...at, type: 'stream', display_recipient: 'c' };
  return { subject: '', type: 'private', display_recipient: [...at.people, ME].map((id) => ({ id })) };
}

/** The unread messages without their order, and without the spelling of topics. */
function comparable(unread: RegisterState['unread_msgs']) {
  const key = (value: unknown) => JSON.stringify(value).toLowerCase();
  const sorted = (list: readonly object[]) => list.map(key).toSorted();
  return { ...unread, streams: sorted(unread.streams), pms: sorted(unread.pms), huddles: sorted(unread.huddles) };
}

describe('unread messages', () => {
  it('after any events are what the slice says they are', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (made) => {
        const model = new Model();
        const subscriptions = CHANNELS.map((id) => subscription(id, id === 3));
        const state = { user_id: ME, subscriptions, unread_msgs: NOTHING, user_topics: [], last_event_id: 0 };
        model.load(state as unknown as RegisterState);
        let naive = { unread_msgs: NOTHING, starred_messages: [], subscriptions, user_topics: [] } as never;
        let next = 0;
        const known = new Set<number>();
        for (const [index, one] of made.entries()) {
          if (one.type === 'message') known.add(++next);
          if (one.type === 'delete_message') for (const id of one.message_ids) known.delete(id);
          // Only messages that are there and read can become unread.
          const unread = new Set(flat(naive));
          const usable =
            one.type === 'unread'
              ? { ...one, messages: one.messages.filter((id) => known.has(id) && !unread.has(id)) }
              : one;
          const wire = wireOf(usable as Made, index + 1, next);
          model.apply(wire as never, 0);
          naive = after(naive, wire) as never;
        }
        expect(comparable(model.unread.toWire() as never)).toEqual(
          comparable((naive as { unread_msgs: never }).unread_msgs),
        );
        for (const id of CHANNELS) {
          const held = model.unread.conversations.map((one) => one.conversation);
          const there = held.filter((one) => 'channelId' in one && one.channelId === id);
          expect(new Set(model.unread.topicsIn(id))).toEqual(new Set(there));
        }
        expectSums(model);
        expect(model.starred.value).toEqual(new Set((naive as { starred_messages: number[] }).starred_messages));
      }),
      { numRuns: 400 },
    );
  });

  it('are counted by conversation, by channel and in all, and told only to the listeners concerned', () => {
    const model = new Model();
    model.load({
      user_id: ME,
      subscriptions: [subscription(1, false), subscription(3, true)],
      unread_msgs: {
        ...NOTHING,
        streams: [
          { stream_id: 1, topic: 'a', unread_message_ids: [1, 2] },
          { stream_id: 3, topic: 'a', unread_message_ids: [3] },
        ],
        pms: [{ other_user_id: 11, sender_id: 11, unread_message_ids: [4] }],
        mentions: [2, 3],
      },
      last_event_id: 0,
    } as unknown as RegisterState);
    expect(model.unread.total).toEqual({ unread: 3, mentions: 2 });
    expect(model.unread.inChannel(1)).toEqual({ unread: 2, mentions: 1 });
    expect(model.unread.inChannel(3)).toEqual({ unread: 0, mentions: 1 });
    expect(model.unread.topicsIn(1)).toEqual([{ channelId: 1, topic: 'a' }]);
    expect(model.unread.topicsIn(2)).toEqual([]);
    expect(model.unread.inConversation('c3:a')).toEqual({ unread: 1, mentions: 1 });
    expect(model.unread.direct).toEqual({ unread: 1, mentions: 0 });
    expect(model.unread.idsIn('d7,11')).toEqual([4]);
  });

  it('lists the topics of a channel by their newest message, however the server lists them', () => {
    const topics = { 'topic 1': [4, 5], 'topic 10': [6, 2], 'topic 2': [1] };
    const streams = Object.entries(topics).map(([topic, ids]) => ({ stream_id: 1, topic, unread_message_ids: ids }));
    const model = new Model();
    const state = { subscriptions: [subscription(1, false)], unread_msgs: { ...NOTHING, streams }, last_event_id: 0 };
    model.load(state as unknown as RegisterState);
    expect(model.unread.topicsIn(1).map(({ topic }) => topic)).toEqual(['topic 10', 'topic 1', 'topic 2']);
  });

  it('take a message among 50,000 in a fraction of a millisecond', () => {
    const model = new Model();
    const streams = Array.from({ length: 5000 }, (_, topic) => ({
      stream_id: 1,
      topic: `t${topic}`,
      unread_message_ids: Array.from({ length: 10 }, (_one, index) => topic * 10 + index + 1),
    }));
    const state = { user_id: ME, subscriptions: [subscription(1, false)], unread_msgs: { ...NOTHING, streams } };
    model.load({ ...state, last_event_id: 0 } as unknown as RegisterState);
    const message = (id: number) => ({
      id,
      type: 'message',
      flags: [],
      message: { id: 60_000 + id, sender_id: 1, stream_id: 1, subject: 't1', type: 'stream', display_recipient: 'c' },
    });
    const before = process.cpuUsage();
    for (let id = 1; id <= 1000; id++) model.apply(message(id), 0);
    const { user } = process.cpuUsage(before);
    expect(user / 1000 / 1000).toBeLessThan(0.5);
  });
});

/** The sums are what counting all conversations gives. */
function expectSums(model: Model): void {
  const { unread } = model;
  const sum = (conversations: typeof unread.conversations) =>
    conversations.reduce(
      (count, { key, conversation, ids }) => ({
        unread: count.unread + (model.isMuted(conversation) ? 0 : ids.size),
        mentions: count.mentions + unread.inConversation(key).mentions,
      }),
      { unread: 0, mentions: 0 },
    );
  const inChannel = (id: number) =>
    unread.conversations.filter(({ conversation }) => 'channelId' in conversation && conversation.channelId === id);
  const direct = unread.conversations.filter(({ conversation }) => 'people' in conversation);
  expect(unread.total).toEqual(sum(unread.conversations));
  expect(unread.direct).toEqual(sum(direct));
  expect(new Set(unread.directConversations)).toEqual(new Set(direct));
  for (const id of CHANNELS) expect(unread.inChannel(id)).toEqual(sum(inChannel(id)));
  expect(unread.total.mentions).toBe(unread.mentions.length);
}

function flat({ unread_msgs }: { readonly unread_msgs: RegisterState['unread_msgs'] }): readonly number[] {
  const { streams, pms, huddles } = unread_msgs;
  return [...streams, ...pms, ...huddles].flatMap((one) => one.unread_message_ids);
}

/** The slice's own functions, each after the other, as the tests of the server use them. */
function after(state: Record<string, unknown>, event: Record<string, unknown>): Record<string, unknown> {
  const next = { ...state };
  if (event['type'] === 'user_topic') {
    const same = (row: Record<string, unknown>) =>
      row['stream_id'] === event['stream_id'] &&
      String(row['topic_name']).toLowerCase() === String(event['topic_name']).toLowerCase();
    next['user_topics'] = [...(state['user_topics'] as Record<string, unknown>[]).filter((row) => !same(row)), event];
  }
  if (event['type'] === 'subscription')
    next['subscriptions'] = (state['subscriptions'] as { stream_id: number }[]).map((one) =>
      one.stream_id === event['stream_id'] ? { ...one, is_muted: event['value'] } : one,
    );
  return { ...next, ...applyMessageEvent(next as never, event as never, ME) };
}
