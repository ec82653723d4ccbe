import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { applyRestart } from './apply.ts';
import { recordVersion } from './record.ts';
import { FEATURE_LEVEL, VERSION } from './version.ts';

describe.each(databases)('another version of the server on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  const record = () => recordVersion(world.server.context);
  const eventsOf = async (queue: { id: string; lastEventId: number }) => {
    await world.server.context.jobs.idle();
    return (await world.gus.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }))[
      'events'
    ];
  };

  it.each([{ zulip_version: '11.0' }, { feature_level: 480 }, { roost_version: '0.0.9' }])(
    'is told to everybody, once, where the last one had %o',
    async (earlier) => {
      await record();
      await world.server.context.jobs.idle();
      await world.server.context.store.write((tx) => tx.db.updateTable('server_version').set(earlier).execute());
      world.clock.advance(5000);
      const now = world.clock.now();
      const queue = await world.gus.register({ event_types: ['restart'] });
      const others = await world.gus.register({ event_types: ['message'] });
      expect(await Promise.all([record(), record(), record()])).toEqual([now, now, now]);
      const told = {
        type: 'restart',
        zulip_version: VERSION,
        zulip_merge_base: VERSION,
        zulip_feature_level: FEATURE_LEVEL,
        server_generation: now,
      };
      expect(await eventsOf(queue)).toEqual([{ ...told, id: expect.any(Number) }]);
      expect(await eventsOf(others)).toEqual([]);
    },
  );

  it('is told where none was noted, and not where the same one starts again', async () => {
    const queue = await world.gus.register({ event_types: ['restart'] });
    const since = await record();
    const [first] = (await eventsOf(queue)) as { id: number }[];
    expect(first).toMatchObject({ server_generation: since });
    world.clock.advance(60_000);
    expect(await record()).toBe(since);
    expect(await eventsOf({ id: queue.id, lastEventId: first?.id ?? -1 })).toEqual([]);
  });

  it('leaves a client with what registering anew would say', () => {
    const before = { zulip_version: '11.0', zulip_merge_base: '11.0', zulip_feature_level: 480, server_generation: 1 };
    const after = { zulip_version: '12.0', zulip_merge_base: '12.0', zulip_feature_level: 491, server_generation: 9 };
    expect(applyRestart({ ...before, realm_name: 'Nest' }, after)).toEqual({ ...after, realm_name: 'Nest' });
  });
});
