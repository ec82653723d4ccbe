import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestClock } from '#kernel/clock';
import { compiled, cachedQuery, openStore, type ReadTx, type Store, sql } from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';
import { BLIND_MS, tablesWritten } from './dialects/table-versions.ts';

describe.each(databases)('a kept query (%s)', (database) => {
  let store: Store;
  let other: Store;
  let remove: () => Promise<void>;
  let asked: number;
  const read = compiled((_db, [id]: [number]) => sql<{ title: string }>`select title from test_shelf where id = ${id}`);
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
    await sleep(2 * BLIND_MS);
    expect(await outside()).toEqual([{ title: 'new' }]);
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

  it('gives the old answer after a change that was undone', async () => {
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

  it('is not asked again after a change of another table, where the database can tell', async () => {
    await outside();
    await store.write((tx) => sql`insert into test_other values (1)`.execute(tx.db));
    await outside();
    await store.write((tx) => titles(tx, 1));
    expect(asked).toBe(database === 'sqlite' ? 1 : 3);
  });

  it('keeps as many answers as it says, of those asked for last', async () => {
    const counted: number[] = [];
    const few = cachedQuery(
      ['test_shelf' as never],
      (tx: ReadTx, id: number) => {
        counted.push(id);
        return read(tx, id);
      },
      3,
    );
    for (const id of [1, 2, 3, 2, 4, 2, 1]) await store.query((tx) => few(tx, id));
    expect(counted).toEqual(database === 'sqlite' ? [1, 2, 3, 4, 1] : [1, 2, 3, 2, 4, 2, 1]);
  });

  it('gives answers that nobody can change', async () => {
    await outside();
    if (database === 'sqlite') expect(Object.isFrozen((await outside())[0])).toBe(true);
  });
});

it.each([
  ['select "id" from "user" for update', []],
  ['with a as (select 1) select * from a', []],
  ['insert into "user" ("id") values (?) on conflict do nothing', ['user']],
  ['insert or replace into message_search (rowid, words) values (?, ?)', ['message_search']],
  ['  update "realm_log" set "head" = head + ? returning "head"', ['realm_log']],
  ['with fresh(id) as (values (?)) update event_queue set acked_id = 1 from fresh', ['event_queue']],
  ['delete from "job" where "id" = ?', ['job']],
  ['alter table "user" add column x', 'all'],
] as const)('"%s" writes %j', (statement, tables) => {
  expect(tablesWritten(statement)).toEqual(tables);
});
