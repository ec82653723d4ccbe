import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutedTopicsChanged } from '../../features/topics/events.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { UserId } from '#kernel/ids';
import type { Entry } from './entry.ts';
import { EventRegistry } from './registry.ts';
import { readEntries } from './rows.ts';
import { Tail } from './tail.ts';

const MILLION = 1_000_000;

describe('the newest entries in memory', () => {
  const entry = (id: number, size: number) => ({ id, last_id: id, size }) as Entry;
  const fill = (tail: Tail, count: number, size: number) => {
    for (let n = 0; n < count; n++) tail.append([entry(tail.head + 1, size)]);
  };

  it('have a bounded number and size, and are without a gap', () => {
    const tail = new Tail(1 as never, 0);
    fill(tail, 7000, 100);
    expect(tail.since(0)).toHaveLength(7000);
    fill(tail, 1000, 100);
    expect(tail.since(0)).toBeUndefined();
    fill(tail, 100, MILLION);
    expect(tail.since(8100 - 13)).toBeUndefined();
    expect(tail.since(8100 - 8)?.map((one) => one.id)).toEqual([8093, 8094, 8095, 8096, 8097, 8098, 8099, 8100]);
    expect(tail.since(8100)).toEqual([]);
    // Clients that poll get it from memory, however large it is.
    fill(tail, 1, 100 * MILLION);
    expect(tail.since(8100)).toHaveLength(1);
    fill(tail, 1, 10);
    expect(tail.since(8101)).toHaveLength(1);
  });
});

describe.each(databases)('entries of a million characters, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('are read a few at a time, and reach a client that has not asked for long', async () => {
    const { max, server, realm } = world;
    const { queue_id, last_event_id } = await max.post('/register', { event_types: ['muted_topics'] });
    const store = server.context.store.of(realm.id);
    const topics = Array.from({ length: 30 }, (_none, n) => `${n} ${'x'.repeat(MILLION)}`);
    for (const topic of topics)
      await store.write(async (tx) => {
        const audience = { users: [max.userId as UserId] };
        tx.emit(mutedTopicsChanged({ muted_topics: [['nest', topic, 1]] }, { audience }));
      });
    const registry = new EventRegistry([mutedTopicsChanged]);
    expect(await store.query((tx) => readEntries(tx, registry, last_event_id))).toHaveLength(4);
    const got: string[] = [];
    for (let at = last_event_id; got.length < topics.length; ) {
      const { events } = await max.get('/events', { queue_id, last_event_id: at, dont_block: true });
      for (const event of events) got.push(event.muted_topics[0][1]);
      at = events.at(-1).id;
    }
    expect(got.map((topic) => topic.length)).toEqual(topics.map((topic) => topic.length));
    expect(got.map((topic) => topic.slice(0, 2))).toEqual(topics.map((topic) => topic.slice(0, 2)));
  });
});
