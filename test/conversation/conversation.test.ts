import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { openWorld, untilParked, type World } from '../support/world.ts';

describe.each(databases)('a conversation on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('brings a message to everybody subscribed, with flags of their own', async () => {
    const { max, mia, gus } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'bird watching' }],
      principals: [max.userId, mia.userId],
    });
    const queues = [
      await max.register({ event_types: ['message'] }),
      await mia.register(),
      await gus.register(),
    ] as const;
    const { id } = await max.post('/messages', {
      type: 'channel',
      to: 'Bird Watching',
      topic: 'hoopoe',
      content: 'seen <one>!',
      read_by_sender: true,
    });
    const [maxEvents, miaEvents, gusEvents] = [
      await queues[0].events(),
      await queues[1].events(),
      await queues[2].events(),
    ];
    expect(maxEvents).toMatchObject([
      { type: 'message', flags: ['read'], message: { id, content: 'seen <one>!', subject: 'hoopoe', type: 'stream' } },
    ]);
    expect(miaEvents).toMatchObject([
      { type: 'stream', op: 'update', property: 'first_message_id', value: id },
      { type: 'message', flags: [], message: { id, sender_full_name: 'Max Member' } },
    ]);
    expect(gusEvents).toEqual([]);
  });

  it('keeps direct messages between the people named', async () => {
    const { max, mia, mona } = world;
    const queues = [await mia.register({ apply_markdown: true }), await mona.register()] as const;
    await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
    expect(await queues[0].events()).toMatchObject([
      { type: 'message', message: { content: '<p>psst</p>', type: 'private', subject: '' } },
    ]);
    expect(await queues[1].events()).toEqual([]);
    const { messages, found_newest } = await mia.get('/messages', { anchor: 'newest', num_before: 1 });
    expect(messages).toMatchObject([{ content: '<p>psst</p>' }]);
    expect(found_newest).toBe(true);
  });

  it('wakes a poll that waits', async () => {
    const { max, mia } = world;
    const queue = await mia.register({ event_types: ['message'] });
    const waiting = queue.wait();
    await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'awake?' });
    expect(await waiting).toMatchObject([{ message: { content: 'awake?' } }]);
  });

  it('gives a waiting poll a heartbeat that must be acknowledged', async () => {
    const queue = await world.mia.register({ event_types: [] });
    const waiting = queue.wait();
    await untilParked(world, 1);
    world.clock.advance(51_000);
    const [event] = await waiting;
    expect(event).toMatchObject({ type: 'heartbeat' });
    expect(event?.['id']).toBeGreaterThan(queue.state['last_event_id']);
    expect(await queue.events()).toEqual([]);
  });
});
