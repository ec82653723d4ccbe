import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { urlOf } from '../../../../test/support/postgres-databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.runIf(databases.includes('postgres'))('a page of messages on PostgreSQL', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('postgres');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.close();
  });

  it('asks together for everything that belongs to its messages', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }] });
    for (const content of ['first', 'second'])
      await max.post('/messages', { type: 'channel', to: 'nest', topic: 'eggs', content });
    const page = () =>
      max.get('/messages', { narrow: [['channel', 'nest']], anchor: 'newest', num_before: 10, num_after: 0 });
    await page();
    const port = Number(new URL(urlOf('')).port);
    const [one, many] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
    const { messages } = await page();
    const isToDatabase = (socket: unknown) => (socket as Socket).remotePort === port;
    const written = [...one.mock.contexts, ...many.mock.contexts].filter(isToDatabase).length;
    expect(messages).toHaveLength(2);
    // A look for changes, the beginning of the snapshot with another, IDs, messages, what belongs to them, and the end.
    expect(written).toBe(6);
  });
});
