import { join } from 'node:path';
import { TestClock } from '#kernel/clock';
import { type Closing, openStore, type Store, sql } from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';

describe.each(databases)('work that writes defer until just before their commit, on %s', (database) => {
  let store: Store;
  let remove: () => Promise<void>;
  /** The items of each run of the deferred work. */
  let done: (readonly string[])[];
  beforeEach(async () => {
    done = [];
    const made = await makeDatabase(database);
    remove = made.remove;
    store = await openStore({
      url: made.databaseUrl,
      file: join(made.dataDir, 'roost.sqlite3'),
      clock: new TestClock(),
    });
    await store.write((tx) => sql`create table test_left (item text)`.execute(tx.db));
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  const keep: Closing<string> = async (tx, items) => {
    done.push(items);
    for (const item of items) await sql`insert into test_left values (${item})`.execute(tx.db);
  };
  const stored = async () => {
    const { rows } = await store.query((tx) => sql<{ item: string }>`select item from test_left`.execute(tx.db));
    return rows.map(({ item }) => item).toSorted();
  };

  it('is done in order after the write has run, and not at all if the write fails', async () => {
    const failing = store.write(async (tx) => {
      tx.beforeCommit(keep, 'never');
      throw new Error('as asked');
    });
    const writing = store.write(async (tx) => {
      tx.beforeCommit(keep, 'a');
      tx.beforeCommit(keep, 'b');
      expect(done).toEqual([]);
    });
    await expect(failing).rejects.toThrow('as asked');
    await writing;
    expect(done).toEqual([['a', 'b']]);
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('may have hundreds of thousands of items', async () => {
    let count = 0;
    const gather: Closing<number> = async (_tx, items) => {
      count += items.length;
    };
    await store.write(async (tx) => {
      for (let item = 0; item < 300_000; item++) tx.beforeCommit(gather, item);
    });
    expect(count).toBe(300_000);
  });

  it('rolls the write back if it fails', async () => {
    const fail: Closing<string> = () => Promise.reject(new Error('as asked'));
    const writing = store.write(async (tx) => {
      await sql`insert into test_left values ('first')`.execute(tx.db);
      tx.beforeCommit(fail, 'x');
    });
    await expect(writing).rejects.toThrow('as asked');
    await store.write(async (tx) => tx.beforeCommit(keep, 'after'));
    expect(await stored()).toEqual(['after']);
  });

  it.runIf(database === 'sqlite')('is done once for all writes that share a commit', async () => {
    await Promise.all(['a', 'b', 'c'].map((item) => store.write(async (tx) => tx.beforeCommit(keep, item))));
    expect(done).toEqual([['a', 'b', 'c']]);
  });

  it.runIf(database === 'sqlite')('is done once also for writes in successive turns of the event loop', async () => {
    const writes: Promise<void>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      // Created before the store waits for its own next turn, as the bytes of a request arrive before it.
      const turn = new Promise(setImmediate);
      writes.push(store.write(async (tx) => tx.beforeCommit(keep, item)));
      await turn;
    }
    await Promise.all(writes);
    expect(done).toEqual([['a', 'b', 'c', 'd']]);
  });
});
