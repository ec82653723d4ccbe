import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realmUserUpdated } from '#features/users';
import type { Audience } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Server } from '../../src/server.ts';
import type { Client, TestQueue } from '../support/client.ts';
import { type DatabaseName, databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

const READERS = ['olive', 'adam', 'max', 'gus'] as const;
type Reader = (typeof READERS)[number];

/** Audiences by what they mean, with who belongs to them. */
const AUDIENCES: Readonly<Record<string, { of: (world: World) => Audience; includes: readonly Reader[] }>> = {
  everyone: { of: () => ({ everyone: true }), includes: READERS },
  members: { of: () => ({ members: true }), includes: ['olive', 'adam', 'max'] },
  admins: { of: () => ({ admins: true }), includes: ['olive', 'adam'] },
  max: { of: (world) => ({ users: [userId(world.max)] }), includes: ['max'] },
  'everyone but olive': {
    of: (world) => ({ everyone: true, except: [userId(world.olive)] }),
    includes: ['adam', 'max', 'gus'],
  },
  nobody: { of: () => ({}), includes: [] },
};
const userId = (client: Client) => client.userId as UserId;

const write = fc.record({
  audience: fc.constantFrom(...Object.keys(AUDIENCES)),
  node: fc.nat(1),
  together: fc.integer({ min: 1, max: 4 }),
});

const setups = databases.flatMap((name): { name: DatabaseName; processes: number }[] =>
  (name === 'postgres' ? [1, 2] : [1]).map((processes) => ({ name, processes })),
);

describe.each(setups)('the event log on $name with $processes process(es)', ({ name, processes }) => {
  let world: World;
  let nodes: Server[];
  beforeAll(async () => {
    world = await openWorld(name, { emitsAnything: true });
    nodes = processes === 2 ? [world.server, await world.anotherServer()] : [world.server];
  });
  afterAll(() => world.close());

  /** Polls until the mark has been seen, moving from one process to the other; every event in the order it came. */
  const readAll = async (reader: Reader, queue: TestQueue, mark: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let turn = 0; !seen.includes(mark); turn++) {
      const node = nodes[turn % nodes.length] ?? world.server;
      const events = await queue.at(world[reader].at(node)).wait();
      seen.push(
        ...events.filter((event) => event['type'] === 'realm_user').map((event): number => event['person'].number),
      );
    }
    return seen;
  };

  it('brings every reader the events of their audience once and in order, whichever process writes', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 25 }), async (writes) => {
        const queues = new Map<Reader, TestQueue>();
        for (const reader of READERS)
          queues.set(reader, await world[reader].register({ event_types: ['realm_user'], fetch_event_types: [] }));
        const emitted: { number: number; audience: string }[] = [];
        const emit = ({ audience, node, together }: (typeof writes)[number]) => {
          const { context } = nodes[node % nodes.length] ?? world.server;
          return context.store.of(world.realm.id).write(async (tx) => {
            for (let i = 0; i < together; i++) {
              const own = { number: ++number, audience };
              emitted.push(own);
              tx.emit(
                realmUserUpdated(
                  { person: { number: own.number } },
                  { audience: AUDIENCES[audience]?.of(world) ?? {} },
                ),
              );
            }
          });
        };
        const readings = [...queues].map(
          async ([reader, queue]) => [reader, await readAll(reader, queue, -1)] as const,
        );
        await Promise.all(writes.map(emit));
        await world.server.context.store
          .of(world.realm.id)
          .write(async (tx) => tx.emit(realmUserUpdated({ person: { number: -1 } }, { audience: { everyone: true } })));
        const rows = await world.server.context.store.query((tx) =>
          tx.db.selectFrom('event').select('payload').where('kind', '=', 'realm_user/update').orderBy('id').execute(),
        );
        const order = rows.map((row): number => JSON.parse(row.payload).person.number);
        for (const [reader, seen] of await Promise.all(readings)) {
          const mine = new Set(
            emitted.filter(({ audience }) => AUDIENCES[audience]?.includes.includes(reader)).map((one) => one.number),
          );
          expect(seen).toEqual([...order.filter((one) => mine.has(one)), -1]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('replays the same events to a poll with the same cursor, and forgets what was acknowledged', async () => {
    const queue = await world.max.register({ event_types: ['realm_user'], fetch_event_types: [] });
    const poll = (last_event_id: number) =>
      world.max.request('GET', '/events', { queue_id: queue.id, last_event_id, dont_block: true });
    for (const number of [1, 2]) {
      await world.server.context.store
        .of(world.realm.id)
        .write(async (tx) => tx.emit(realmUserUpdated({ person: { number } }, { audience: { everyone: true } })));
    }
    const first = await poll(queue.lastEventId);
    expect((await poll(queue.lastEventId)).body).toEqual(first.body);
    const [one, two] = first.body['events'];
    expect((await poll(one.id)).body['events']).toEqual([two]);
    expect(await poll(queue.lastEventId)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: `An event newer than ${queue.lastEventId} has already been pruned!` },
    });
    expect(await poll(two.id + 1000)).toMatchObject({
      status: 400,
      body: { msg: `Event ${two.id + 1000} was not in this queue` },
    });
  });
});
