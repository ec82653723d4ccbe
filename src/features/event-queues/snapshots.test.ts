import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { Snapshots } from './snapshots.ts';

describe.each(databases)('snapshots of register state on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    await world.max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: [world.max.userId, world.mia.userId],
    });
  });
  afterAll(() => world.close());

  /** The state without what differs for each queue. */
  const stateOf = async (client: Client, parameters = {}): Promise<Body> => {
    const {
      queue_id: _queue,
      last_event_id: _last,
      server_timestamp: _time,
      ...state
    } = (await client.register(parameters)).state;
    return state;
  };

  it('are the same as the state read afresh, also compressed', async () => {
    const first = await stateOf(world.max);
    expect(await stateOf(world.max)).toEqual(first);
    const response = await world.server.listener.inject({
      method: 'POST',
      url: '/api/v1/register?unknown=1',
      headers: { authorization: world.max.authorization, 'accept-encoding': 'gzip' },
    });
    expect(response.headers['content-encoding']).toBe('gzip');
    const { queue_id, last_event_id, server_timestamp, ignored_parameters_unsupported, ...state } = JSON.parse(
      gunzipSync(response.rawPayload).toString(),
    ) as Body;
    expect([typeof queue_id, typeof last_event_id]).toEqual(['string', 'number']);
    expect(server_timestamp === undefined || typeof server_timestamp === 'number').toBe(true);
    expect(ignored_parameters_unsupported).toEqual(['unknown']);
    expect(state).toEqual(first);
  });

  it('give way to every change that reaches the viewer, and stay for what does not', async () => {
    const before = await world.mia.register();
    await world.max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'new perches' }],
      principals: [world.mia.userId],
    });
    const after = await world.mia.register();
    const names = (state: Body) => state['subscriptions'].map((channel: Body) => channel['name']);
    expect(names(after.state)).toEqual([...names(before.state), 'new perches']);
    await world.max.post('/messages', { type: 'direct', to: [world.mona.userId], content: 'not for Mia' });
    const later = await world.mia.register();
    expect(later.state['last_event_id']).toBeGreaterThan(after.state['last_event_id']);
    expect(await later.events()).toEqual([]);
  });

  it('are kept for no longer than they serve', () => {
    const { events, queues } = world.server.context;
    const clock = new TestClock();
    const snapshots = new Snapshots(events, queues, clock);
    for (const viewer of ['a', 'b']) snapshots.add(viewer, [], 1, clock.now());
    clock.advance(30_000);
    snapshots.add('c', [], 1, clock.now());
    clock.advance(29_000);
    expect(snapshots.size).toBe(3);
    clock.advance(1_000);
    expect(snapshots.size).toBe(1);
    clock.advance(60_000);
    expect(snapshots.size).toBe(0);
  });

  it('belong to one viewer (security#holes, row 25)', async () => {
    const clients = [world.olive, world.adam, world.mona, world.max, world.mia, world.gus];
    const rounds = [...clients, ...clients, ...clients].map(async (client) => [
      client.userId,
      (await client.register()).state['user_id'],
    ]);
    for (const [asked, answered] of await Promise.all(rounds)) expect(answered).toBe(asked);
    // One after the other, so that each finds what is kept of the one before.
    for (const client of [...clients, ...clients])
      expect((await client.register()).state['user_id']).toBe(client.userId);
  });
});
