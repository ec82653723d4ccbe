import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import type { Body } from '../../../../test/support/client.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('leaving channels on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('marks what each had not read there, and nothing else (protocol/events#update_message_flags)', async () => {
    const { adam, max, mia, mona } = world;
    const names = ['geese', 'swans', 'ducks'] as const;
    const principals = [max.userId, mia.userId, mona.userId];
    const subscriptions = names.map((name) => ({ name }));
    await adam.post('/users/me/subscriptions', { subscriptions, principals });
    const say = async (to: string) =>
      (await adam.post('/messages', { type: 'channel', to, topic: 'pond', content: 'honk' }))['id'] as number;
    const [geese, more, swans, ducks] = [
      await say('geese'),
      await say('geese'),
      await say('swans'),
      await say('ducks'),
    ];
    await mona.post('/messages/flags', { messages: [geese], op: 'add', flag: 'read' });
    const queues = await Promise.all([max, mia, mona].map((who) => who.register()));
    await adam.delete('/users/me/subscriptions', { subscriptions: ['geese', 'swans'], principals });
    const told = await Promise.all(
      queues.map(async (queue) =>
        (await queue.events())
          .filter((event) => event['type'] === 'update_message_flags')
          .map((event: Body) => [event['op'], event['flag'], event['messages'], event['all']]),
      ),
    );
    const both = [
      ['add', 'read', [geese, more], false],
      ['add', 'read', [swans], false],
    ];
    expect(told[0]).toEqual(both);
    expect(told[1]).toEqual(both);
    expect(told[2]?.toSorted()).toEqual([
      ['add', 'read', [more], false],
      ['add', 'read', [swans], false],
    ]);
    for (const who of [max, mia, mona]) {
      const { messages } = await who.get('/messages', { message_ids: [geese, more, swans, ducks] });
      expect(messages.map((message: Body) => message['flags'])).toEqual([['read'], ['read'], ['read'], []]);
      await who.post('/users/me/subscriptions', { subscriptions: [{ name: 'geese' }] });
    }
    const next = await say('geese');
    const { streams } = (await max.register()).state['unread_msgs'];
    expect(streams.flatMap((one: Body) => one['unread_message_ids'])).toEqual(expect.arrayContaining([ducks, next]));
    expect(streams.flatMap((one: Body) => one['unread_message_ids'])).not.toContain(geese);
  });
});
