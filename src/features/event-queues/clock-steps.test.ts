import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

const HOUR_MS = 3_600_000;

describe.each(databases)('when the clock is set on %s', (database) => {
  let world: World;
  beforeEach(async () => (world = await openWorld(database)));
  afterEach(() => world.close());

  it.each([HOUR_MS, -HOUR_MS])('by %i ms, waiting polls get their heartbeats in time', async (stepMs) => {
    const queue = await world.max.register({ event_types: ['message'] });
    const poll = world.max.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    await untilParked(world, 1);
    world.clock.step(stepMs);
    world.clock.advance(40_000);
    for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate);
    expect(world.server.context.queues.parked).toBe(1);
    world.clock.advance(16_000);
    expect((await poll)['events']).toMatchObject([{ type: 'heartbeat' }]);
  });

  it.each([HOUR_MS, -HOUR_MS])('by %i ms, no queue is collected that is not idle', async (stepMs) => {
    const queue = await world.max.register({ event_types: ['message'] });
    const { queues } = world.server.context;
    const poll = () =>
      world.max.request('GET', '/events', {
        queue_id: queue.id,
        last_event_id: queue.lastEventId,
        dont_block: true,
      });
    await queues.save();
    world.clock.advance(300_000);
    world.clock.step(stepMs);
    await queues.sweep();
    expect((await poll()).status).toBe(200);
    world.clock.step(-stepMs);
    await queues.sweep();
    expect((await poll()).status).toBe(200);
  });
});
