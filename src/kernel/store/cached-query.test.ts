import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestClock } from '#kernel/clock';
import { cachedQuery, compiledServerWide, openStore, type ReadTx, sql, type Store } from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';
import { QUIET_MS } from './dialects/shared-versions.ts';
import { BLIND_MS, tablesWritten } from './dialects/table-versions.ts';

describe.each(databases)('a cached query (%s)', (database) => {
  let store: Store;
  let other: Store;
  let remove: () => Promise<void>;
  let asked: number;
  const read = compiledServerWide(
    (_of, id: number) => sql<{ title: string }>`select title from test_shelf where id = ${id}`,
  );
  // The test's own table is not among those that slices declare.
  const titles = cachedQuery(['test_shelf' as never], (tx: ReadTx, id: number) => {
    asked++;
    return read(tx, id);
  });
  const outside = () => store.query((tx) => titles(tx, 1));
  const rename = (title: string) => sql`update test_shelf set title = ${title} where id = 1`;
  beforeEach(async () => {
    const made = await makeDatabase(database);
    remove = made.remove;
    const options = { url: made.databaseUrl, file: join(made.dataDir, 'roost.sqlite3'), clock: new TestClock() };
    store = await openStore(options);
    await store.write(async (tx) => {
      await sql`create table test_shelf (id bigint, title text)`.execute(tx.db);
      await sql`create table test_other (id bigint)`.execute(tx.db);
      await sql`insert into test_shelf values (1, 'old')`.execute(tx.db);
      if (database === 'postgres')
        await sql`select count_changes_of('test_shelf'), count_changed_rows_of('test_shelf', 'id, title')`.execute(
          tx.db,
        );
    });
    other = await openStore(options);
    asked = 0;
  });
  afterEach(async () => {
    await store.close();
    await other.close();
    await remove();
  });

  it('gives the new answer after a change', async () => {
    expect(await outside()).toEqual([{ title: 'old' }]);
    await store.write((tx) => rename('new').execute(tx.db));
    expect(await outside()).toEqual([{ title: 'new' }]);
  });

  it('gives the new answer after a change by another connection, as of another process', async () => {
    expect(await outside()).toEqual([{ title: 'old' }]);
    await other.write((tx) => rename('new').execute(tx.db));
    // On PostgreSQL, the database is asked for changes each time.
    if (database === 'sqlite') await sleep(2 * BLIND_MS);
    expect(await outside()).toEqual([{ title: 'new' }]);
  });

  it('gives a request what it has changed itself, although it looks only once for changes by others', async () => {
    const request = store.moment();
    const seen = () => request.query((tx) => titles(tx, 1));
    expect(await seen()).toEqual([{ title: 'old' }]);
    await request.write((tx) => rename('new').execute(tx.db));
    expect(await seen()).toEqual([{ title: 'new' }]);
    await other.write((tx) => rename('newer').execute(tx.db));
    if (database === 'sqlite') await sleep(2 * BLIND_MS);
    expect(await store.moment().query((tx) => titles(tx, 1))).toEqual([{ title: 'newer' }]);
  });

  it('gives a transaction what it wrote itself, and nobody else before the commit', async () => {
    await outside();
    await store.write(async (tx) => {
      await rename('new').execute(tx.db);
      expect(await titles(tx, 1)).toEqual([{ title: 'new' }]);
      expect(await outside()).toEqual([{ title: 'old' }]);
    });
    expect(await outside()).toEqual([{ title: 'new' }]);
  });

  it('gives the old answer after a change that was rolled back', async () => {
    const failing = store.write(async (tx) => {
      await rename('new').execute(tx.db);
      await titles(tx, 1);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await outside()).toEqual([{ title: 'old' }]);
  });

  it('gives a snapshot what it saw when it began', async () => {
    await store.read(async (tx) => {
      await sql`select id from test_shelf`.execute(tx.db);
      await store.write((writing) => rename('new').execute(writing.db));
      await outside();
      expect(await titles(tx, 1)).toEqual([{ title: 'old' }]);
    });
    expect(await outside()).toEqual([{ title: 'new' }]);
  });

  it.runIf(database === 'postgres')('lets requests read before they know of changes, and again if any', async () => {
    const seen: unknown[] = [];
    const reading = () =>
      store.moment().read(async (tx) => {
        const [shelf] = await titles(tx, 1);
        seen.push(shelf?.title);
        if (shelf?.title === 'forbidden') throw new Error('refused');
        await sql`select id from test_shelf`.execute(tx.db);
        return shelf?.title;
      });
    const change = async (title: string) => {
      await outside();
      await sleep(2 * QUIET_MS);
      await other.write((tx) => rename(title).execute(tx.db));
    };
    await change('new');
    expect(await reading()).toBe('new');
    await change('forbidden');
    await expect(reading()).rejects.toThrow('refused');
    await change('newest');
    // What was forbidden before is no refusal.
    expect(await reading()).toBe('newest');
    expect(seen).toEqual(['old', 'new', 'new', 'forbidden', 'forbidden', 'newest']);
    // Where changes are frequent, nothing is read twice.
    await other.write((tx) => rename('last').execute(tx.db));
    expect(await reading()).toBe('last');
    expect(seen.length).toBe(7);
  });

  it.runIf(database === 'postgres')('ends a request whose statement fails, without reading again', async () => {
    await outside();
    await sleep(2 * QUIET_MS);
    await other.write((tx) => rename('new').execute(tx.db));
    let times = 0;
    const failing = store.moment().read(async (tx) => {
      times++;
      await titles(tx, 1);
      await sql`select 1 / 0`.execute(tx.db);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(times).toBe(1);
  });

  it.runIf(database === 'postgres')('does not run again in a snapshot if nothing has changed', async () => {
    await outside();
    await other.write((tx) => sql`insert into test_other values (1)`.execute(tx.db));
    expect(await store.read((tx) => titles(tx, 1))).toEqual([{ title: 'old' }]);
    expect(asked).toBe(1);
    await other.write((tx) => rename('new').execute(tx.db));
    expect(await store.read((tx) => titles(tx, 1))).toEqual([{ title: 'new' }]);
    expect(await outside()).toEqual([{ title: 'new' }]);
    expect(asked).toBe(2);
  });

  it('gives a snapshot what it sees, whatever is committed and queried at the same time', async () => {
    let title = 0;
    const step = async (by: number) => {
      if (by % 4 === 0) await store.write((tx) => rename(`title ${title++}`).execute(tx.db));
      else if (by % 4 === 1) await other.write((tx) => rename(`title ${title++}`).execute(tx.db));
      else await outside();
    };
    const snapshot = () =>
      store.read(async (tx) => {
        for (let turn = 0; turn < 3; turn++) {
          // In the first turn of some snapshots, the cached answer is read first.
          const asks = turn === 0 && title % 2 === 0 ? [titles, read] : [read, titles];
          const [one, same] = [await asks[0]?.(tx, 1), await asks[1]?.(tx, 1)];
          expect(one).toEqual(same);
        }
      });
    for (let round = 0; round < 40; round++) {
      const beside = [step(round), step(round * 7 + 3), step(round * 3 + 1)];
      await Promise.all([snapshot(), ...beside, snapshot()]);
    }
    expect(title).toBeGreaterThan(30);
  });

  it('does not run again after a change of another table', async () => {
    await outside();
    await store.write((tx) => sql`insert into test_other values (1)`.execute(tx.db));
    await outside();
    await store.write((tx) => titles(tx, 1), { key: 'test', enter: async () => undefined });
    expect(asked).toBe(1);
  });

  it('gives a transaction under a lock what others committed before it got the lock', async () => {
    await outside();
    let isHeld: () => void = () => undefined;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const enter = async (tx: ReadTx) => sql`select id from test_shelf ${tx.dialect.forUpdate}`.execute(tx.db);
    const changing = other.write(async (tx) => {
      await enter(tx);
      isHeld();
      await released;
      await rename('new').execute(tx.db);
    });
    if (database === 'sqlite') release();
    else await held;
    const seen = store.write((tx) => titles(tx, 1), { key: 'test', enter });
    await sleep(20);
    release();
    await changing;
    if (database === 'postgres') expect(await seen).toEqual([{ title: 'new' }]);
    else await seen;
  });

  it.runIf(database === 'postgres')('runs each time if the changes of its table are not counted', async () => {
    const others = cachedQuery(['test_other' as never], async (tx: ReadTx) => {
      asked++;
      return (await sql`select id from test_other`.execute(tx.db)).rows;
    });
    await store.query((tx) => others(tx));
    await store.query((tx) => others(tx));
    expect(asked).toBe(2);
  });

  it.runIf(database === 'postgres')('notices each kind of change, and many changes that are summed up', async () => {
    await outside();
    for (let n = 0; n < 205; n++) await other.write((tx) => rename(`title ${n}`).execute(tx.db));
    expect(await outside()).toEqual([{ title: 'title 204' }]);
    const notes = async () => {
      const { rows } = await store.query((tx) =>
        sql<{ n: number }>`select count(*) as n from table_change`.execute(tx.db),
      );
      return rows[0]?.n;
    };
    await expect.poll(notes).toBeLessThan(20);
    expect(await outside()).toEqual([{ title: 'title 204' }]);
    for (const change of [
      'delete from test_shelf',
      "insert into test_shelf values (1, 'back')",
      'truncate test_shelf',
    ]) {
      await other.write((tx) => sql.raw(change).execute(tx.db));
      expect(await outside()).toEqual(change.startsWith('insert') ? [{ title: 'back' }] : []);
    }
  });

  it('caches the declared number of answers, those used last', async () => {
    const counted: number[] = [];
    const few = cachedQuery(
      ['test_shelf' as never],
      (tx: ReadTx, id: number) => {
        counted.push(id);
        return read(tx, id);
      },
      { most: 3 },
    );
    for (const id of [1, 2, 3, 2, 4, 2, 1]) await store.query((tx) => few(tx, id));
    expect(counted).toEqual([1, 2, 3, 4, 1]);
  });

  it('caches answers that only updates and deletions can invalidate', async () => {
    const isThere = cachedQuery(
      ['test_shelf:changed' as never],
      async (tx: ReadTx, id: number) => {
        asked++;
        return (await read(tx, id)).length > 0;
      },
      { isLasting: (answer) => answer },
    );
    const look = (id: number) => store.query((tx) => isThere(tx, id));
    const add = (id: number) => other.write((tx) => sql`insert into test_shelf values (${id}, 'x')`.execute(tx.db));
    expect(await look(2)).toBe(false);
    await add(2);
    // A commit of another connection invalidates once, whatever it changed.
    if (database === 'sqlite') await sleep(2 * BLIND_MS);
    expect([await look(2), await look(2)]).toEqual([true, true]);
    expect(asked).toBe(2);
    await store.write((tx) => sql`insert into test_shelf values (3, 'y')`.execute(tx.db));
    expect(await look(2)).toBe(true);
    expect(asked).toBe(2);
    await other.write((tx) => sql`delete from test_shelf where id = 2`.execute(tx.db));
    if (database === 'sqlite') await sleep(2 * BLIND_MS);
    expect(await look(2)).toBe(false);
  });

  it('gives answers that nobody can change', async () => {
    await outside();
    expect(Object.isFrozen((await outside())[0])).toBe(true);
  });
});

it.each([
  ['select "id" from "user" for update', []],
  ['with a as (select 1) select * from a', []],
  ['insert into "user" ("id") values (?) on conflict do nothing', ['user']],
  ['insert or replace into message_search (rowid, words) values (?, ?)', ['message_search', 'message_search:changed']],
  ['  update "realm_log" set "head" = head + ? returning "head"', ['realm_log', 'realm_log:changed']],
  [
    'with fresh(id) as (values (?)) update event_queue set acked_id = 1 from fresh',
    ['event_queue', 'event_queue:changed'],
  ],
  ['delete from "job" where "id" = ?', ['job', 'job:changed']],
  ['alter table "user" add column x', 'all'],
] as const)('"%s" writes %j', (statement, tables) => {
  expect(tablesWritten(statement)).toEqual(tables);
});

describe('on a strict embedded database', () => {
  const open = async () => {
    const { dataDir, remove } = await makeDatabase('sqlite');
    const file = join(dataDir, 'roost.sqlite3');
    const store = await openStore({ url: undefined, file, clock: new TestClock(), strict: true });
    const run = (text: string) => store.write(async (tx) => (await sql.raw(text).execute(tx.db)).rows.length);
    return { run, end: () => store.close().then(remove) };
  };

  it('a statement is refused that writes a table which its text does not show', async () => {
    const { run, end } = await open();
    await run('create table test_shelf (id integer primary key, title text unique)');
    await run('create table test_log (id bigint)');
    await run('create trigger test_seen after insert on test_shelf begin insert into test_log values (1); end');
    await expect(run('insert into test_shelf (id) values (1)')).rejects.toThrow(
      'writes test_log, which its text does not',
    );
    await run('drop trigger test_seen');
    await run('create trigger test_seen after update on test_shelf begin delete from test_log; end');
    await expect(run('update test_shelf set id = 2')).rejects.toThrow('writes test_log, test_log:changed, which');
    await end();
  });

  it.each([
    'insert into test_shelf (title) values (1) on conflict do nothing',
    'insert into test_shelf (title) values (1) on conflict (title) do update set title = 2',
    'insert or replace into test_shelf (title) values (1)',
    'replace into test_shelf (title) values (1)',
    'update test_shelf set title = title || 1 where id = 1 returning id',
    'with one (i) as (values (1)) update "test_shelf" set title = 3 from one where id = i',
    'with one as (select 1) delete from test_shelf where id in one',
    'delete from test_shelf',
    'insert into test_paired values (1, 2) on conflict do nothing',
    'update test_paired set b = 3',
  ])('"%s" is accepted, because its text shows what it writes', async (text) => {
    const { run, end } = await open();
    await run('create table test_shelf (id integer primary key, title text unique)');
    await run('create table test_paired (a bigint, b bigint, primary key (a, b)) without rowid');
    await run(text);
    await end();
  });
});
