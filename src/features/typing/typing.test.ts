import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const MODERN = {
  event_types: ['typing', 'typing_edit_message'],
  client_capabilities: { notification_settings_null: true, stream_typing_notifications: true, empty_topic_name: true },
};

describe.each(databases)('typing on %s', (database) => {
  let world: World;
  let birds: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    birds = (await max.register()).state['subscriptions'][0].stream_id;
  });
  afterAll(() => world.close());

  it('tells the people of a direct conversation, the sender included (protocol/typing#direct)', async () => {
    const { max, mia, gus } = world;
    const queues = [await max.register(MODERN), await mia.register(MODERN), await gus.register(MODERN)] as const;
    await max.post('/typing', { op: 'start', to: [mia.userId] });
    const person = (who: World['max']) => ({ user_id: who.userId, email: expect.any(String) });
    for (const queue of [queues[0], queues[1]]) {
      const [event, ...more] = await queue.events();
      expect(event).toEqual({
        id: event?.['id'],
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: person(max),
        recipients: [person(max), person(mia)],
      });
      expect(more).toEqual([]);
    }
    expect(await queues[2].events()).toEqual([]);
  });

  it('tells subscribers whose client can show it', async () => {
    const { max, mia, mona } = world;
    const queues = [await mia.register(MODERN), await mia.register({ event_types: ['typing'] })] as const;
    const outside = await mona.register(MODERN);
    await max.post('/typing', { type: 'channel', op: 'stop', stream_id: birds, topic: 'owl' });
    expect(await queues[0].events()).toMatchObject([
      { type: 'typing', op: 'stop', message_type: 'stream', stream_id: birds, topic: 'owl' },
    ]);
    expect(await queues[1].events()).toEqual([]);
    expect(await outside.events()).toEqual([]);
  });

  it('tells nobody in a conversation of more than 100, however few of them listen (protocol/typing#audience)', async () => {
    const { max, mia } = world;
    const others = await Promise.all(Array.from({ length: 100 }, () => world.user()));
    const silent = { receives_typing_notifications: false };
    for (const one of others) await one.patch('/settings', silent);
    const principals = [mia.userId, ...others.slice(0, 98).map(({ userId }) => userId)];
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'flock' }],
      principals: [max.userId, ...principals],
    });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'flock' });
    const queue = await mia.register(MODERN);
    const type = () => max.post('/typing', { type: 'channel', op: 'start', stream_id, topic: 'owl' });
    await type();
    expect(await queue.events()).toMatchObject([{ type: 'typing', stream_id }]);
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'flock' }],
      principals: others.slice(98).map(({ userId }) => userId),
    });
    await type();
    expect(await queue.events()).toEqual([]);
    const to = [mia.userId, ...others.map(({ userId }) => userId)];
    await max.post('/typing', { op: 'start', to });
    const { id } = await max.post('/messages', { type: 'direct', to, content: 'owl' });
    await max.post(`/messages/${id}/typing`, { op: 'start' });
    expect(await queue.events()).toEqual([]);
  });

  it.each([
    [{ op: 'start', type: 'private' }, 'Invalid type'],
    [{ op: 'pause' }, 'Invalid op'],
    [{ op: 'start' }, "Missing 'to' argument"],
    [{ op: 'start', to: [] }, "Empty 'to' list"],
    [{ op: 'start', to: [999_999] }, 'Invalid user ID 999999'],
    [{ op: 'start', type: 'channel' }, 'Missing channel ID'],
    [{ op: 'start', type: 'stream', stream_id: 1 }, 'Missing topic'],
    [{ op: 'start', type: 'channel', stream_id: 999_999, topic: 'x' }, 'Invalid channel ID'],
  ])('refuses %j', async (parameters, msg) => {
    expect((await world.max.refused('POST', '/typing', parameters)).msg).toBe(msg);
  });

  it('tells of a change being typed, by the sender only', async () => {
    const { max, mia, gus } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'birds', topic: 'owl', content: 'hoo' });
    const queue = await mia.register(MODERN);
    await max.post(`/messages/${id}/typing`, { op: 'start' });
    expect(await queue.events()).toMatchObject([
      {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: max.userId,
        message_id: id,
        recipient: { type: 'channel', channel_id: birds, topic: 'owl' },
      },
    ]);
    expect((await mia.refused('POST', `/messages/${id}/typing`, { op: 'start' })).msg).toBe(
      "You don't have permission to edit this message",
    );
    expect((await gus.refused('POST', `/messages/${id}/typing`, { op: 'start' })).msg).toBe('Invalid message(s)');
  });

  it('respects what sender and receivers want', async () => {
    const { max, mia, gus } = world;
    await mia.patch('/settings', { receives_typing_notifications: false });
    const queues = [await mia.register(MODERN), await gus.register(MODERN)] as const;
    await max.post('/typing', { op: 'start', to: [mia.userId, gus.userId] });
    expect(await queues[0].events()).toEqual([]);
    expect(await queues[1].events()).toMatchObject([{ type: 'typing' }]);
    await max.patch('/settings', { send_private_typing_notifications: false, send_stream_typing_notifications: false });
    expect((await max.refused('POST', '/typing', { op: 'start', to: [mia.userId] })).msg).toBe(
      'User has disabled typing notifications for direct messages',
    );
    const place = { type: 'channel', op: 'start', stream_id: birds, topic: 'owl' };
    expect((await max.refused('POST', '/typing', place)).msg).toBe(
      'User has disabled typing notifications for channel messages',
    );
  });
});
