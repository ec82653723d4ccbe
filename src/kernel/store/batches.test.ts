import { Socket } from 'node:net';
import { join } from 'node:path';
import { TestClock } from '#kernel/clock';
import {
  cachedQuery,
  type Closing,
  col,
  compiledLast,
  compiledServerWide,
  openStore,
  type ReadTx,
  sql,
  type Store,
  type Table,
  type WriteBatch,
} from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';

describe.each(databases)('writes in a batch on %s', (database) => {
  let store: Store;
  let other: Store;
  let remove: () => Promise<void>;
  /** Number of counted writes in each commit. */
  let commits: number[];
  /** The transactions in which the lock was taken. */
  let entered: object[];
  const batch: WriteBatch = {
    key: 'test',
    enter: async (tx) => {
      await sql`select id from test_line ${tx.dialect.forUpdate}`.execute(tx.db);
      entered.push(tx.transaction);
    },
  };
  beforeEach(async () => {
    [commits, entered] = [[], []];
    const made = await makeDatabase(database);
    remove = made.remove;
    const options = { url: made.databaseUrl, file: join(made.dataDir, 'roost.sqlite3'), clock: new TestClock() };
    store = await openStore(options);
    other = await openStore(options);
    await store.write(async (tx) => {
      await sql`create table test_line (id integer primary key)`.execute(tx.db);
      await sql`insert into test_line values (1)`.execute(tx.db);
      await sql`create table test_item (item text primary key)`.execute(tx.db);
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all([store.close(), other.close()]);
    await remove();
  });

  const count: Closing<true> = async (_tx, items) => {
    commits.push(items.length);
  };
  const add = (item: string, then?: () => void, at = store) =>
    at.write(async (tx) => {
      tx.beforeCommit(count, true);
      await sql`insert into test_item values (${item})`.execute(tx.db);
      then?.();
      return item;
    }, batch);
  const refuse = () => store.write(() => Promise.reject(new Error('refused')), batch);
  const stored = async () => {
    const { rows } = await store.query((tx) =>
      sql<{ item: string }>`select item from test_item order by item`.execute(tx.db),
    );
    return rows.map(({ item }) => item).join('');
  };
  const ends = async (writes: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map((end) => (end.status === 'fulfilled' ? end.value : 'failed'));

  it('share a commit when they wait together', async () => {
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((item) => add(item)))).toEqual(['a', 'b', 'c', 'd']);
    expect(commits).toEqual([4]);
    expect(await stored()).toBe('abcd');
  });

  it('are all committed, however many wait', async () => {
    const items = Array.from({ length: 300 }, (_, n) => `${n} `);
    await Promise.all(items.map((item) => add(item)));
    expect(commits.reduce((sum, size) => sum + size, 0)).toBe(300);
    expect(commits.length).toBeLessThan(10);
    expect(await stored()).toBe(items.toSorted().join(''));
  });

  it('are refused alone, and the others share their commit', async () => {
    expect(await ends([add('a'), refuse(), add('c')])).toEqual(['a', 'failed', 'c']);
    expect(commits).toEqual([2]);
    expect(await stored()).toBe('ac');
  });

  it('fail alone after they have written', async () => {
    const late = () => {
      throw new Error('too late');
    };
    const writes = [add('a'), add('b', late), add('c')];
    await expect(writes[1]).rejects.toThrow('too late');
    expect(await ends(writes)).toEqual(['a', 'failed', 'c']);
    expect(await stored()).toBe('ac');
  });

  it('have each effect once if one of them fails after it has written', async () => {
    const effects: string[] = [];
    const writes = ['a', 'b', 'c', 'd'].map((item) =>
      store.write(async (tx) => {
        tx.afterCommit(() => effects.push(item));
        await sql`insert into test_item values (${item})`.execute(tx.db);
        if (item === 'c') throw new Error('too late');
        return item;
      }, batch),
    );
    expect(await ends(writes)).toEqual(['a', 'b', 'failed', 'd']);
    expect(effects.toSorted()).toEqual(['a', 'b', 'd']);
    expect(await stored()).toBe('abd');
  });

  it('fail alone if the database refuses a statement', async () => {
    await add('b');
    const isDuplicate = await add('b').catch((error: unknown) => store.dialect.isDuplicate(error));
    expect(isDuplicate).toBe(true);
    const [first, refused, other, again] = await ends([add('a'), add('b'), add('c'), add('a')]);
    expect([refused, other]).toEqual(['failed', 'c']);
    // Each runs again alone, and either of the two may be the first.
    expect([first, again]).toEqual(expect.arrayContaining(['a', 'failed']));
    expect(await stored()).toBe('abc');
  });

  it('fail alone if a read fails', async () => {
    const wrong = store.write((tx) => sql`select nothing from test_item`.execute(tx.db), batch);
    expect(await ends([add('a'), wrong, add('c')])).toEqual(['a', 'failed', 'c']);
    expect(await stored()).toBe('ac');
  });

  it('fail if the server has rolled them back, even if they ignored the failed statement', async () => {
    const careless = store.write(async (tx) => {
      await sql`insert into test_item values ('x')`.execute(tx.db);
      await sql`select nothing from test_item`.execute(tx.db).catch(() => undefined);
      return 'x';
    }, batch);
    const isUndone = database === 'postgres';
    expect(await ends([add('a'), careless])).toEqual(['a', isUndone ? 'failed' : 'x']);
    expect(await stored()).toBe(isUndone ? 'a' : 'ax');
  });

  it('run one by one if the deferred work of one of them fails', async () => {
    const strict: Closing<string> = async (_tx, items) => {
      if (items.includes('bad')) throw Object.assign(new Error('bad'), { code: '22000' });
    };
    const leaving = (item: string) =>
      store.write(async (tx) => {
        tx.beforeCommit(strict, item);
        await sql`insert into test_item values (${item})`.execute(tx.db);
      }, batch);
    const [good, bad] = await Promise.allSettled([leaving('good'), leaving('bad')]);
    expect(bad.status).toBe('rejected');
    // In the embedded database only a full disk fails here, which would also fail a single write.
    expect(good.status).toBe(database === 'postgres' ? 'fulfilled' : 'rejected');
    expect(await stored()).toBe(database === 'postgres' ? 'good' : '');
  });

  it('fail if the last statement fails, and leave nothing behind', async () => {
    const insertLast = compiledLast((_of, item: string) => sql`insert into test_item values (${item})`);
    const last: Closing<string> = async (tx, items) => {
      for (const item of items) await insertLast(tx, item);
    };
    const leave = (item: string) =>
      store.write(async (tx) => {
        tx.beforeCommit(last, item);
        await sql`select 1`.execute(tx.db);
        return item;
      });
    expect(await ends([leave('a')])).toEqual(['a']);
    const again = await leave('a').catch((error: unknown) => store.dialect.isDuplicate(error));
    expect(again).toBe(true);
    expect(await leave('b')).toBe('b');
    expect(await stored()).toBe('ab');
  });

  it('run in the order in which they arrived, and so do their effects', async () => {
    const order: string[] = [];
    const write = (name: string) =>
      store.write(async (tx) => {
        order.push(name);
        tx.afterCommit(() => order.push(`${name} committed`));
        await sql`select 1`.execute(tx.db);
        order.push(`${name} done`);
      }, batch);
    await Promise.all([write('a'), write('b')]);
    expect(order).toEqual(['a', 'a done', 'b', 'b done', 'a committed', 'b committed']);
  });

  // SQLite blocks a process that waits for a lock, so the process cannot hold the lock, too.
  it.runIf(database === 'postgres')('of two processes take turns', async () => {
    const items = Array.from({ length: 40 }, (_, n) => `${n} `);
    await Promise.all(items.map((item, n) => add(item, undefined, n % 2 ? store : other)));
    expect(await stored()).toBe(items.toSorted().join(''));
  });

  describe.runIf(database === 'postgres')('with concurrent transactions', () => {
    it('are sent to the server in as few pieces as there are results to wait for', async () => {
      await add('a');
      const [one, many] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
      const written = () => one.mock.calls.length + many.mock.calls.length;
      await store.write(async (tx) => {
        await sql`insert into test_item values ('b')`.execute(tx.db);
        await Promise.all(['c', 'd', 'e'].map((item) => sql`insert into test_item values (${item})`.execute(tx.db)));
      });
      // BEGIN with the first statement, the statements that do not wait for each other, and the commit.
      expect(written()).toBe(3);
      const insertLast = compiledLast((_of, item: string) => sql`insert into test_item values (${item})`);
      const last: Closing<string> = async (tx, items) => {
        for (const item of items) await insertLast(tx, item);
      };
      await store.write(async (tx) => {
        await sql`insert into test_item values ('f')`.execute(tx.db);
        for (const item of ['g', 'h']) tx.beforeCommit(last, item);
      });
      expect(written()).toBe(3 + 2);
      expect(await stored()).toBe('abcdefgh');
    });

    it('take the lock once per commit, in the transaction that they share', async () => {
      const seen: unknown[] = [];
      const see = () => store.write(async (tx) => seen.push(entered.indexOf(tx.transaction)), batch);
      await Promise.all([see(), see()]);
      await see();
      expect(seen).toEqual([0, 0, 1]);
    });

    describe('with rows that are inserted together', () => {
      const items: Table = { name: 'test_item', columns: { item: col.text() } };
      const later = (item: string, then: (tx: ReadTx) => Promise<unknown> = async () => undefined) =>
        store.write(async (tx) => {
          // A write that runs alone, because another one failed after writing, inserts its row at once.
          if (tx.later) tx.later.insert(items, { item }, { isNew: true });
          else await sql`insert into test_item values (${item})`.execute(tx.db);
          return then(tx);
        }, batch);
      const listed = async (tx: ReadTx) =>
        (await sql<{ item: string }>`select item from test_item order by item`.execute(tx.db)).rows.map(
          ({ item }) => item,
        );

      it('store them all, and find them by any statement that names their table', async () => {
        expect(await ends([later('a'), later('b', listed), later('c')])).toEqual([undefined, ['a', 'b'], undefined]);
        expect(await stored()).toBe('abc');
      });

      it('leave out those of a write that is refused, and no others', async () => {
        const refused = () => Promise.reject(new Error('refused'));
        const late = async (tx: ReadTx) => {
          await listed(tx);
          throw new Error('refused');
        };
        expect(await ends([later('a'), later('b', refused), later('c')])).toEqual([undefined, 'failed', undefined]);
        expect(await stored()).toBe('ac');
        expect(await ends([later('d'), later('e', late), later('f')])).toEqual([undefined, 'failed', undefined]);
        expect(await stored()).toBe('acdf');
      });

      it('fail alone if a row cannot be inserted, and leave nothing for the next write', async () => {
        await add('b');
        // A write that runs alone inserts its row at once.
        const again = store.write(async (tx) => {
          if (tx.later) tx.later.insert(items, { item: 'b' }, { isNew: true });
          else await sql`insert into test_item values ('b')`.execute(tx.db);
        }, batch);
        expect(await ends([add('a'), again, add('c')])).toEqual(['a', 'failed', 'c']);
        await add('d');
        expect(await stored()).toBe('abcd');
      });

      it('take ascending IDs of a table', async () => {
        await store.write((tx) =>
          sql`create table test_numbered (id bigint generated by default as identity)`.execute(tx.db),
        );
        const numbered: Table = { name: 'test_numbered', columns: { id: col.id() } };
        const take = () => store.write(async (tx) => (await tx.later?.newId(numbered)) ?? 0, batch);
        const taken = [...(await Promise.all([take(), take(), take()])), ...(await Promise.all([take(), take()]))];
        expect(taken.length).toBe(5);
        expect(taken).toEqual(taken.toSorted((a, b) => a - b));
        expect(new Set(taken).size).toBe(5);
      });
    });

    it('do not wait for writes of other batches', async () => {
      let release = () => {};
      const waiting = new Promise<void>((resolve) => {
        release = resolve;
      });
      const held = store.write(() => waiting, { key: 'held', enter: () => Promise.resolve() });
      expect(await add('a')).toBe('a');
      release();
      await held;
    });

    it('run a cached query once for all, and again after they or others have changed its table', async () => {
      let asked = 0;
      const read = compiledServerWide(() => sql<{ items: number }>`select count(*) as items from test_item`);
      const counted = cachedQuery(['test_item' as never], (tx: ReadTx) => {
        asked++;
        return read(tx);
      });
      const look = () => store.write(async (tx) => (await counted(tx))[0]?.items, batch);
      expect(await Promise.all([look(), look(), look()])).toEqual([0, 0, 0]);
      expect(asked).toBe(1);
      expect(await Promise.all([look(), add('a'), look()])).toEqual([0, 'a', 1]);
      await add('b', undefined, other);
      expect(await look()).toBe(2);
      // Locking a row may have waited, so that what was read before may be outdated.
      const wait = (tx: ReadTx) => sql`select id from test_line ${tx.dialect.forUpdate}`.execute(tx.db);
      const before = asked;
      await store.write(async (tx) => {
        await counted(tx);
        await wait(tx);
        await counted(tx);
      }, batch);
      expect(asked).toBe(before + 2);
    });
  });
});
