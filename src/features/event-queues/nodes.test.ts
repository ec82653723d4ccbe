import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { pause } from '../../../test/support/pause.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';
import type { Server } from '../../server.ts';

/** An idle queue's seconds, and half of them. */
const IDLE = 600;

describe.each(databases.filter((name) => name === 'postgres'))('an event queue at two processes on %s', (database) => {
  let world: World;
  let other: Server;
  beforeEach(async () => {
    world = await openWorld(database);
    other = await world.anotherServer();
    for (const { context } of [world.server, other]) await context.queues.start();
  });
  afterEach(() => world.close());

  const opened = async () => {
    const queue = await world.max.register({ event_types: ['message'] });
    const poll = (server: Server, dont_block = true) =>
      world.max
        .at(server)
        .request('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block });
    return { queue, poll };
  };

  it('lives at a process that has not heard of it for longer than it may be idle', async () => {
    const { poll } = await opened();
    expect((await poll(world.server)).status).toBe(200);
    for (let passed = 0; passed < 2 * IDLE; passed += IDLE / 4) {
      world.clock.advance((IDLE / 4) * 1000);
      expect((await poll(other)).status).toBe(200);
      await other.context.queues.save();
    }
    expect((await poll(world.server)).status).toBe(200);
    world.clock.advance(IDLE * 1000);
    for (const server of [world.server, other])
      expect((await poll(server)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  it('answers the poll that waits at one process when it is polled at another, as often as it moves', async () => {
    const { poll } = await opened();
    for (const [from, to] of [
      [world.server, other],
      [other, world.server],
      [world.server, other],
    ] as const) {
      const waiting = poll(from, false);
      while (from.context.queues.parked === 0) await new Promise(setImmediate);
      const next = poll(to, false);
      for (let turns = 0; from.context.queues.parked > 0 && turns < 500; turns++) {
        world.clock.advance(50);
        await pause(10);
      }
      expect((await waiting).body).toMatchObject({ result: 'success', events: [] });
      await expect.poll(() => to.context.queues.parked).toBe(1);
      // Ends this one too, at its own process.
      await poll(to);
      await next;
    }
  });

  it('ends everywhere with DELETE, also where a poll of it waits', async () => {
    const { queue, poll } = await opened();
    const waiting = poll(world.server, false);
    await untilParked(world, 1);
    expect((await poll(other)).status).toBe(200);
    await world.max.at(other).request('DELETE', '/events', { queue_id: queue.id });
    for (const server of [other, world.server])
      expect((await poll(server)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect((await waiting).body).toMatchObject({ result: 'success', events: [] });
  });
});
