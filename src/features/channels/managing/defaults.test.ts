import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('default channels on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('are chosen by administrators, and everybody but guests is told (protocol/events#organization)', async () => {
    const { adam, max, gus } = world;
    const { id: stream_id } = await max.post('/channels/create', { name: 'start', subscribers: [max.userId] });
    const queues = [await max.register(), await gus.register()] as const;
    await adam.post('/default_streams', { stream_id });
    await adam.post('/default_streams', { stream_id });
    expect(await queues[0].events()).toMatchObject([{ type: 'default_streams', default_streams: [stream_id] }]);
    expect(await queues[1].events()).toEqual([]);
    expect((await max.register()).state['realm_default_streams']).toEqual([stream_id]);
    expect((await gus.register()).state['realm_default_streams']).toEqual([]);
    await adam.delete('/default_streams', { stream_id });
    expect(await queues[0].events()).toMatchObject([{ type: 'default_streams', default_streams: [] }]);
  });

  it('are public, and only administrators choose them', async () => {
    const { adam, max } = world;
    const parameters = { name: 'hidden', subscribers: [max.userId], invite_only: true };
    const { id: stream_id } = await max.post('/channels/create', parameters);
    expect((await max.refused('POST', '/default_streams', { stream_id })).msg).toBe(
      'You do not have permission to change default channels.',
    );
    expect((await adam.refused('POST', '/default_streams', { stream_id })).msg).toBe(
      'Private channels cannot be made default.',
    );
    expect((await adam.refused('DELETE', '/default_streams', { stream_id: 999_999 })).msg).toBe('Invalid channel ID');
  });
});
