import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import type { Client } from '../../../../test/support/client.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

/** The anchor of a narrow in which nothing is found. */
const NEWEST = 10_000_000_000_000_000;

const say = async (who: Client, to: string | number[], content: string, topic = 'nests'): Promise<number> => {
  const place = typeof to === 'string' ? { type: 'channel', to, topic } : { type: 'direct', to };
  return (await who.post('/messages', { ...place, content }))['id'];
};

describe.each(databases)('flags on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId],
    });
  });
  afterAll(() => world.close());

  const flagsOf = async (who: Client, id: number): Promise<string[]> => {
    const { messages } = await who.get('/messages', { message_ids: [id] });
    return messages[0]?.flags;
  };

  it('marks messages read and unread, telling only what changed (protocol/flags#changing)', async () => {
    const { max, mia } = world;
    const [one, two] = [await say(max, 'birds', 'one'), await say(max, 'birds', 'two')];
    const queue = await mia.register({ event_types: ['update_message_flags'] });
    await mia.post('/messages/flags', { messages: [one], op: 'add', flag: 'read' });
    await mia.post('/messages/flags', { messages: [one, two], op: 'add', flag: 'read' });
    await mia.post('/messages/flags', { messages: [one], op: 'remove', flag: 'read' });
    const base = { type: 'update_message_flags', flag: 'read', all: false };
    expect(await queue.events()).toMatchObject([
      { ...base, op: 'add', operation: 'add', messages: [one] },
      { ...base, op: 'add', messages: [two] },
      {
        ...base,
        op: 'remove',
        messages: [one],
        message_details: { [one]: { type: 'stream', topic: 'nests', unmuted_stream_msg: true } },
      },
    ]);
    expect(await flagsOf(mia, one)).toEqual([]);
    expect(await flagsOf(mia, two)).toEqual(['read']);
  });

  it('finds the first unread message between messages that are read, in a narrow too (protocol/fetching#anchors)', async () => {
    const { max, mia } = world;
    const topic = async (content: string, name: string) => say(max, 'birds', content, name);
    const first = await topic('one', 'gaps');
    const other = await topic('elsewhere', 'no gaps');
    const [second, third] = [await topic('two', 'gaps'), await topic('three', 'gaps')];
    const anchorIn = async (...narrow: string[][]) =>
      (await mia.get('/messages', { anchor: 'first_unread', narrow: [['channel', 'birds'], ...narrow] }))['anchor'];
    await mia.post('/messages/flags', { messages: [first, third], op: 'add', flag: 'read' });
    expect(await anchorIn(['topic', 'gaps'])).toBe(second);
    expect(await anchorIn(['topic', 'no gaps'])).toBe(other);
    expect(await anchorIn(['topic', 'gaps'], ['search', 'three'])).toBe(NEWEST);
    await mia.post('/messages/flags', { messages: [second], op: 'add', flag: 'read' });
    expect(await anchorIn(['topic', 'gaps'])).toBe(NEWEST);
    await mia.post('/messages/flags', { messages: [third], op: 'remove', flag: 'read' });
    expect(await anchorIn(['topic', 'gaps'], ['search', 'three'])).toBe(third);
    await mia.post('/messages/flags', { messages: [third, other], op: 'add', flag: 'read' });
  });

  it('passes over unknown messages when they are marked read, and tells even of nothing', async () => {
    const { mia, gus, max } = world;
    const id = await say(max, 'birds', 'for subscribers');
    const queue = await gus.register({ event_types: ['update_message_flags'] });
    const reply = await gus.post('/messages/flags', { messages: [id, 999_999], op: 'add', flag: 'read' });
    expect(reply).toMatchObject({ messages: [id, 999_999], ignored_because_not_subscribed_channels: [] });
    expect(await queue.events()).toMatchObject([{ op: 'add', messages: [] }]);
    expect(await flagsOf(mia, id)).toEqual([]);
  });

  it('refuses flags that are not for clients to set, in order', async () => {
    const { mia } = world;
    const post = (more: object) => mia.refused('POST', '/messages/flags', { messages: [1], ...more });
    expect(await post({ op: 'nod', flag: 'wet' })).toMatchObject({ msg: "Invalid flag: 'wet'" });
    expect(await post({ op: 'nod', flag: 'mentioned' })).toMatchObject({ msg: "Flag not editable: 'mentioned'" });
    expect(await post({ op: 'nod', flag: 'starred' })).toMatchObject({ msg: "Invalid message flag operation: 'nod'" });
    const id = await say(world.max, [world.mona.userId], 'not for Mia');
    for (const messages of [[id], [999_999]]) {
      expect(await post({ messages, op: 'add', flag: 'starred' })).toMatchObject({ msg: 'Invalid message(s)' });
      expect(await post({ messages, op: 'remove', flag: 'read' })).toMatchObject({ msg: 'Invalid message(s)' });
    }
  });

  it('lets somebody star an old public message, which is then theirs, and read', async () => {
    const { max, mona } = world;
    const id = await say(max, 'birds', 'long ago');
    await mona.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect(await flagsOf(mona, id)).toEqual(['read', 'starred', 'historical']);
    const { starred_messages } = (await mona.register({ fetch_event_types: ['starred_messages'] })).state;
    expect(starred_messages).toEqual([id]);
    const narrow = [{ operator: 'is', operand: 'starred' }];
    const { messages } = await mona.get('/messages', { anchor: 'newest', num_before: 5, narrow });
    expect(messages.map((message: { id: number }) => message.id)).toEqual([id]);
    await mona.post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' });
    expect((await mona.register({ fetch_event_types: ['starred_messages'] })).state['starred_messages']).toEqual([]);
  });

  it('leaves messages of channels one is not in read, and says which', async () => {
    const { max, mona } = world;
    const id = await say(max, 'birds', 'from outside');
    const { messages } = await mona.get('/messages', { message_ids: [id] });
    const reply = await mona.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' });
    expect(reply['ignored_because_not_subscribed_channels']).toEqual([messages[0].stream_id]);
    expect(await flagsOf(mona, id)).toEqual(['read', 'historical']);
  });

  it('counts unread messages and forgets them when all is marked read', async () => {
    const { max, mia, mona } = world;
    await mia.post('/mark_all_as_read');
    const ids = [
      await say(max, 'birds', 'a', 'Eggs'),
      await say(max, 'birds', 'b', 'eggs'),
      await say(max, 'birds', 'c', ''),
    ];
    const direct = await say(max, [mia.userId], 'd');
    const group = await say(max, [mia.userId, mona.userId], 'e');
    const unread = async () =>
      (await mia.register({ fetch_event_types: ['message', 'update_message_flags'] })).state['unread_msgs'];
    const { stream_id } = (await mia.get('/messages', { message_ids: [ids[0]] }))['messages'][0];
    expect(await unread()).toEqual({
      count: 5,
      pms: [{ other_user_id: max.userId, sender_id: max.userId, unread_message_ids: [direct] }],
      streams: [
        { stream_id, topic: 'general chat', unread_message_ids: [ids[2]] },
        { stream_id, topic: 'Eggs', unread_message_ids: ids.slice(0, 2) },
      ],
      huddles: [{ user_ids_string: [mona, max, mia].map((one) => one.userId).join(), unread_message_ids: [group] }],
      mentions: [],
      old_unreads_missing: false,
    });
    await mia.post('/mark_topic_as_read', { stream_id, topic_name: 'EGGS' });
    expect((await unread()).count).toBe(3);
    await mia.post('/mark_stream_as_read', { stream_id });
    expect((await unread()).count).toBe(2);
    const queue = await mia.register({ event_types: ['update_message_flags'] });
    expect(await mia.post('/mark_all_as_read')).toMatchObject({ complete: true });
    expect((await unread()).count).toBe(0);
    expect(await queue.events()).toMatchObject([{ op: 'add', flag: 'read', messages: [], all: true }]);
  });

  it('leaves out archived channels where the client does not know them (protocol/register#capabilities)', async () => {
    const { max, mia, olive } = world;
    const principals = [max.userId, mia.userId];
    await olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'attic' }], principals });
    const { stream_id } = await mia.get('/get_stream_id', { stream: 'attic' });
    await max.post('/messages', { type: 'channel', to: stream_id, topic: 'x', content: 'unread' });
    await olive.delete(`/streams/${stream_id}`);
    const placesOf = async (client_capabilities: object) => {
      const { state } = await mia.register({
        fetch_event_types: ['message', 'update_message_flags'],
        client_capabilities: { notification_settings_null: true, ...client_capabilities },
      });
      return state['unread_msgs'].streams.map((row: { stream_id: number }) => row.stream_id);
    };
    expect(await placesOf({ archived_channels: true })).toContain(stream_id);
    expect(await placesOf({})).not.toContain(stream_id);
  });

  it('knows no topic in which nothing was said, and no channel that is hidden', async () => {
    const { mia, max, mona } = world;
    const { messages } = await mia.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow: [{ operator: 'channel', operand: 'birds' }],
    });
    const { stream_id } = messages[0];
    expect(await mia.refused('POST', '/mark_topic_as_read', { stream_id, topic_name: 'dodo' })).toMatchObject({
      msg: "No such topic 'dodo'",
    });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'hidden' }], invite_only: true });
    const { id } = (await max.post('/messages', { type: 'channel', to: 'hidden', topic: 'x', content: 'x' })) as {
      id: number;
    };
    const hidden = (await max.get('/messages', { message_ids: [id] }))['messages'][0].stream_id;
    expect(await mona.refused('POST', '/mark_stream_as_read', { stream_id: hidden })).toMatchObject({
      msg: 'Invalid channel ID',
    });
  });

  it('marks a narrow read in steps, as mobile does (protocol/flags#by-narrow)', async () => {
    const { max, mia } = world;
    await mia.post('/mark_all_as_read');
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await say(max, 'birds', `step ${n}`));
    const step = (more: object) =>
      mia.post('/messages/flags/narrow', {
        narrow: [{ operator: 'is', operand: 'unread' }],
        num_before: 0,
        num_after: 2,
        op: 'add',
        flag: 'read',
        ...more,
      });
    const first = await step({ anchor: 'oldest' });
    expect(first).toMatchObject({ processed_count: 2, updated_count: 2, found_oldest: true, found_newest: false });
    const second = await step({ anchor: String(first['last_processed_id']), include_anchor: false });
    expect(second).toMatchObject({ first_processed_id: ids[2], last_processed_id: ids[3] });
    const third = await step({ anchor: String(second['last_processed_id']), include_anchor: false });
    expect(third).toMatchObject({ processed_count: 1, first_processed_id: ids[4], found_newest: true });
    expect(await step({ anchor: 'oldest' })).toMatchObject({ processed_count: 0, first_processed_id: null });
    expect(
      await mia.refused('POST', '/messages/flags/narrow', {
        anchor: 'newest',
        include_anchor: false,
        num_before: 1,
        num_after: 1,
        narrow: [],
        op: 'add',
        flag: 'read',
      }),
    ).toMatchObject({ msg: 'The anchor can only be excluded at an end of the range' });
  });
});
