import { join } from 'node:path';
import { asId, type RealmId } from '#kernel/ids';
import { TestClock } from '#kernel/clock';
import { col, compiledRows, openStore, type SelectOf, type Store, sql, table } from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';

const shelf = table('test_shelf', {
  id: col.id<number>(),
  title: col.text(),
  is_full: col.bool(),
  contents: col.json<readonly number[]>(),
  emptied_at: col.intOrNull(),
});

const REALM = asId<RealmId>(1);
const shelvesById = compiledRows(
  shelf,
  ({ dialect }, ids: readonly number[]) =>
    sql<SelectOf<typeof shelf>>`select * from test_shelf where ${dialect.anyOf('id', ids)} order by title desc`,
);
const shelvesWithin = compiledRows(
  shelf,
  ({ dialect }, { ids, before }: { readonly ids: readonly number[]; readonly before: number }) =>
    sql<SelectOf<typeof shelf>>`select * from test_shelf where ${dialect.anyOf('id', ids)} and id < ${before}`,
);

describe.each(databases)('whole rows (%s)', (database) => {
  let store: Store;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const made = await makeDatabase(database);
    remove = made.remove;
    store = await openStore({
      url: made.databaseUrl,
      file: join(made.dataDir, 'roost.sqlite3'),
      clock: new TestClock(),
    });
    await store.write(async (tx) => {
      await sql`create table test_shelf (id bigint, title text, is_full boolean, contents text, emptied_at bigint)`.execute(
        tx.db,
      );
      await sql`insert into test_shelf values (1, 'a "quoted" title', true, '[1,2]', null), (2, 'ünï', false, '[]', 7),
        (3, 'left out', false, '[]', null)`.execute(tx.db);
    });
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  it('come decoded and in the order of the query', async () => {
    const rows = await store.of(REALM).read((tx) => shelvesById(tx, [1, 2]));
    expect(rows).toEqual([
      { id: 2, title: 'ünï', is_full: false, contents: [], emptied_at: 7 },
      { id: 1, title: 'a "quoted" title', is_full: true, contents: [1, 2], emptied_at: null },
    ]);
  });

  it('are found by the fields of an argument, of which one may be a list', async () => {
    const found = (ids: readonly number[], before: number) =>
      store.of(REALM).read(async (tx) => (await shelvesWithin(tx, { ids, before })).map(({ id }) => id));
    expect(await found([1, 2], 2)).toEqual([1]);
    expect(await found([2, 3], 3)).toEqual([2]);
  });

  it('are none if nothing is found', async () => {
    expect(await store.of(REALM).read((tx) => shelvesById(tx, [9]))).toEqual([]);
  });
});
