import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { refreshActivity, weeklyTraffic } from './refresh.ts';

const DAY_MS = 86_400_000;

it.each([
  [0, 6, null],
  [0, 7, 0],
  [1, 28, 1],
  [7, 7, 7],
  [10, 14, 5],
  [400, 28, 100],
  [4 * 1234, 300, 1200],
  [4 * 1250, 28, 1300],
  [4 * 96, 28, 96],
] as const)('%i messages at the age of %i days are %j a week (protocol/channels#activity)', (messages, age, weekly) => {
  expect(weeklyTraffic(messages, age)).toBe(weekly);
});

describe.each(databases)('how busy channels are, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'busy' }],
      principals: [max.userId, mia.userId],
    });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], invite_only: true });
  });
  afterAll(() => world.close());

  const say = (to: string, client: Client = world.max) =>
    client.post('/messages', { type: 'channel', to, topic: 'hello', content: 'hello' });
  const changes = (events: readonly Body[] | undefined) =>
    (events ?? [])
      .filter((event) => event['type'] === 'stream')
      .map((event) => [event['name'], event['property'], event['value']]);
  const refresh = () => refreshActivity(world.server.context);

  it('tells who may know of a channel of its first message, once (protocol/channels#activity)', async () => {
    const { max, mia, gus, adam } = world;
    let id = 0;
    const [own, outsider, guest, admin] = await expectSync([max, mia, gus, adam], async () => {
      ({ id } = await say('closed'));
      await say('closed');
    });
    for (const events of [own, admin]) expect(changes(events)).toEqual([['closed', 'first_message_id', id]]);
    expect(own?.[0]?.['type']).toBe('stream');
    expect(outsider).toEqual([]);
    expect(guest).toEqual([]);
  });

  it('has one first message, however many are sent at once', async () => {
    const { max, adam } = world;
    await max.post('/channels/create', { name: 'rush', subscribers: [max.userId] });
    const [events] = await expectSync([adam], () => Promise.all([1, 2, 3, 4, 5].map(() => say('rush'))));
    expect(changes(events)).toHaveLength(1);
  });

  it('has no figure in the first week, then one that follows the messages of whole days', async () => {
    const { max, mia, clock } = world;
    for (let sent = 0; sent < 4; sent++) await say('busy');
    const [young] = await expectSync([mia], refresh);
    expect(changes(young)).toEqual([]);
    clock.advance(7 * DAY_MS);
    const [events, all] = await expectSync([mia, max], refresh);
    expect(changes(events)).toEqual([
      ['busy', 'stream_weekly_traffic', 4],
      ['rush', 'stream_weekly_traffic', 5],
    ]);
    expect(changes(all)).toContainEqual(['closed', 'stream_weekly_traffic', 2]);
    expect((await mia.get('/streams'))['streams'][0]).toMatchObject({ name: 'busy', stream_weekly_traffic: 4 });
    await say('busy');
    const [none] = await expectSync([mia], () => Promise.all([refresh(), refresh()]));
    expect(changes(none)).toEqual([]);
    clock.advance(23 * DAY_MS);
    const [later] = await expectSync([mia], refresh);
    expect(changes(later)).toEqual([
      ['busy', 'stream_weekly_traffic', 1],
      ['rush', 'stream_weekly_traffic', 0],
    ]);
  });

  it('counts as inactive after half a year of silence, until somebody speaks (protocol/channels#activity)', async () => {
    const { max, mia, clock } = world;
    await refresh();
    clock.advance(180 * DAY_MS);
    const [events] = await expectSync([mia], refresh);
    expect(changes(events)).toContainEqual(['busy', 'is_recently_active', false]);
    const [awake] = await expectSync([mia, max], async () => {
      await say('busy');
      await say('busy', mia);
    });
    expect(changes(awake)).toEqual([['busy', 'is_recently_active', true]]);
    const [none] = await expectSync([mia], refresh);
    expect(changes(none)).toEqual([]);
  });
});
