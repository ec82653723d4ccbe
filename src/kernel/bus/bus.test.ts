import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { databases, makeDatabase, type TestDatabase } from '../../../test/support/databases.ts';
import { type Bus, openPostgresBus } from './index.ts';

describe.each(databases.filter((name) => name === 'postgres'))('wake-ups by %s', (name) => {
  let database: TestDatabase;
  let bus: Bus;
  const heard: string[] = [];
  beforeEach(async () => {
    database = await makeDatabase(name);
    bus = await openPostgresBus(database.databaseUrl ?? '', systemClock, () => undefined);
    await bus.subscribe('log', (text) => heard.push(text));
  });
  afterEach(async () => {
    await bus.close();
    await database.remove();
  });

  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };
  const OURS = `from pg_stat_activity where datname = current_database() and application_name = 'roost-wake-ups'`;

  it('keep one connection and go on through it, however often it is lost', async () => {
    for (let round = 0; round < 5; round++) {
      await ask(`select pg_terminate_backend(pid) ${OURS}`);
      await expect.poll(() => bus.isConnected).toBe(false);
      await expect.poll(() => bus.isConnected).toBe(true);
      expect(await ask(`select count(*)::int as count ${OURS}`)).toEqual([{ count: 1 }]);
      bus.publish('log', `after ${round}`);
      await expect.poll(() => heard).toContain(`after ${round}`);
    }
  });
});
