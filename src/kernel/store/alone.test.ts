import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openStore, type Store, WorkTaken } from '#kernel/store';
import { databases, makeDatabase, type TestDatabase } from '../../../test/support/databases.ts';

describe.each(databases)('work that runs once at a time, on %s', (database) => {
  let made: TestDatabase;
  let stores: readonly Store[];
  beforeEach(async () => {
    made = await makeDatabase(database);
    const options = { url: made.databaseUrl, file: join(made.dataDir, 'roost.sqlite3'), clock: new TestClock() };
    stores = [await openStore(options), await openStore(options)];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await made.remove();
  });

  it('does not begin while it runs, here or in another process, and begins after its end or failure', async () => {
    for (const store of stores)
      await stores[0]?.alone('moving', async () => {
        await expect(store.alone('moving', async () => 'again')).rejects.toThrow(WorkTaken);
        expect(await store.alone('other', async () => 'beside it')).toBe('beside it');
      });
    await expect(stores[0]?.alone('moving', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await stores[1]?.alone('moving', async () => 'done')).toBe('done');
  });
});
