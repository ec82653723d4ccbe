import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import { str } from '#kernel/schema';
import type { Entry } from './entry.ts';
import { event } from './event.ts';
import { EventRegistry } from './registry.ts';
import { readEntries } from './rows.ts';
import { Tail, TailMemory } from './tail.ts';

const MILLION = 1_000_000;

describe('the newest entries in memory', () => {
  const aged: number[] = [];
  const entry = (id: number, size: number) => ({ id, last_id: id, size, age: () => aged.push(id) }) as unknown as Entry;
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

  it('keep their JSON for clients as long as they are among the newest', () => {
    aged.length = 0;
    const tail = new Tail(asId<RealmId>(1), 0);
    fill(tail, 5, MILLION);
    expect(aged).toEqual([1]);
    fill(tail, 1, 10 * MILLION);
    expect(aged).toEqual([1, 2, 3, 4, 5]);
    fill(tail, 1, 1);
    expect(aged).toEqual([1, 2, 3, 4, 5, 6]);
    for (let halves = 0; tail.halve(); halves++) expect(halves).toBeLessThan(10);
    fill(tail, 3, 2 * MILLION);
    expect(aged).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are bounded for all organizations together: those that have most give room', () => {
    const memory = new TailMemory();
    const tails = Array.from({ length: 100 }, (_, n) => new Tail(asId<RealmId>(n), 0, memory));
    const characters = () => tails.reduce((sum, tail) => sum + tail.characters, 0);
    const [quiet, ...busy] = tails;
    if (quiet) fill(quiet, 10, 1000);
    let most = 0;
    for (let round = 0; round < 40; round++)
      for (const tail of busy) {
        fill(tail, 1, MILLION / 10);
        most = Math.max(most, characters());
      }
    expect(most).toBeLessThanOrEqual(24 * MILLION);
    expect(most).toBeGreaterThan(23 * MILLION);
    expect(quiet?.since(0)).toHaveLength(10);
    for (const tail of busy) expect(tail.since(39)?.map((one) => one.id)).toEqual([40]);
    // What fills all the room alone stays, and takes it from the others.
    if (quiet) fill(quiet, 1, 100 * MILLION);
    expect(characters()).toBeLessThanOrEqual(100 * MILLION + 99 * (MILLION / 10));
    expect(quiet?.since(10)).toHaveLength(1);
  });
});

describe.each(databases)('entries of a million characters, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('are read a few at a time, and those of no known kind are passed over', async () => {
    const { max, server, realm } = world;
    const large = event({ type: 'large', source: 'protocol/events#own-data', payload: { text: str() } });
    const small = event({ type: 'small', source: 'protocol/events#own-data', payload: {} });
    const { last_event_id } = await max.post('/register', { event_types: [] });
    const store = server.context.store.of(realm.id);
    const audience = { users: [asId<UserId>(max.userId)] };
    const text = 'x'.repeat(MILLION / 8);
    await store.write(async (tx) => {
      for (let n = 0; n < 10; n++) tx.emit(large({ text }, { audience }));
      tx.emit(small({}, { audience }));
    });
    const known = (...types: (typeof large | typeof small)[]) => new EventRegistry(types);
    const read = (registry: EventRegistry, after: number) => store.query((tx) => readEntries(tx, registry, after));
    const sizes: number[] = [];
    for (let at = last_event_id; ; ) {
      const entries = await read(known(large, small), at);
      if (entries.length === 0) break;
      sizes.push(entries.length);
      at = entries.at(-1)?.last_id ?? at;
    }
    expect(sizes).toEqual([4, 4, 3]);
    expect((await read(known(small), last_event_id)).map((one) => one.type.type)).toEqual(['small']);
    expect(await read(known(), last_event_id)).toEqual([]);
  });
});
