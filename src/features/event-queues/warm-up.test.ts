import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '#kernel/log';
import { sql } from '#kernel/store';
import { features } from '../../features.ts';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { countStatements } from '../../../test/support/statements.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { warmUp } from './index.ts';

const STATES = features.flatMap(({ state }) => state.map((one) => ({ ...one, endedBy: [] })));
const ASKED = { apply_markdown: true, client_gravatar: true, slim_presence: true, include_subscribers: 'partial' };

describe.each(databases)('the warm-up of a registration on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production' });
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'Birds' }] });
  });
  afterEach(() => world.close());

  it('leaves nothing behind but what members share, which the first of them does not wait for', async () => {
    const { context } = world.server;
    const count = () =>
      context.store.query(async (tx) => {
        const found = sql<{ queues: number; entries: number }>`select
          (select count(*) from event_queue) as queues, (select count(*) from event) as entries`;
        return (await found.execute(tx.db)).rows[0];
      });
    const before = await count();
    await warmUp(context, STATES);
    expect(await count()).toEqual(before);
    const warmedUp = await countStatements(world, () => world.max.post('/register', ASKED));
    const other = await openWorld(database, { mode: 'production' });
    const cold = await countStatements(other, () => other.max.post('/register', ASKED));
    await other.close();
    expect(warmedUp).toBeLessThan(cold - 5);
  });

  it('is never seen in what people are told', async () => {
    await warmUp(world.server.context, STATES);
    const { mia } = world;
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'After' }] });
    const { never_subscribed } = await world.max.post('/register', ASKED);
    const names: string[] = never_subscribed.map(({ name }: Body) => name);
    expect(new Set(names)).toEqual(new Set(['After', 'Birds']));
  });

  it('stops no start by a fault, which it tells the log', async () => {
    const lines: string[] = [];
    const context = { ...world.server.context, log: openLog('warn', { write: (line) => lines.push(line) > 0 }) };
    const read = () => Promise.reject(new Error('as asked'));
    const broken = { fetchType: 'broken', endedBy: [], stale: 'a test', source: 'none', fields: {}, read };
    await warmUp(context, [broken]);
    expect(lines.join()).toMatch(/the warm-up before the first registration failed/);
  });
});
