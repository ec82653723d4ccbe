import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { migrate, openStore, sql, cachedTables } from '#kernel/store';
import '../features.ts';
import { databases, makeDatabase } from '../../test/support/databases.ts';
import { migrations } from './index.ts';

it('no table of SQLite changes another by itself, on which answers that are cached rely (decision 0011)', async () => {
  const made = await makeDatabase('sqlite');
  const store = await openStore({ url: undefined, file: join(made.dataDir, 'schema.sqlite3'), clock: systemClock });
  try {
    await migrate(store, migrations);
    const hidden = await store.query(async (tx) => {
      const found = sql<{ name: string }>`
        select name from sqlite_schema where type = 'trigger'
        union all
        select t.name || '.' || f."from" from sqlite_schema t, pragma_foreign_key_list(t.name) f
        where t.type = 'table' and (f.on_delete <> 'NO ACTION' or f.on_update <> 'NO ACTION')`;
      return (await found.execute(tx.db)).rows;
    });
    expect(hidden).toEqual([]);
  } finally {
    await store.close();
    await made.remove();
  }
});

it.runIf(databases.includes('postgres'))(
  'PostgreSQL counts the changes of every table that answers are cached of',
  async () => {
    const made = await makeDatabase('postgres');
    const store = await openStore({ url: made.databaseUrl, file: '', clock: systemClock });
    try {
      const counted = await store.query(async (tx) => {
        const found = sql<{ name: string }>`select encode(tgargs, 'escape') as name from pg_trigger
          where tgname like 'count_change%'`;
        return (await found.execute(tx.db)).rows.map(({ name }) => name.replaceAll('\\000', ''));
      });
      // Tests of the kernel keep answers of tables of their own.
      const cached = [...cachedTables()].filter((table) => !table.startsWith('test_'));
      expect(cached.filter((table) => !counted.includes(table))).toEqual([]);
      expect(cached.length).toBeGreaterThan(5);
    } finally {
      await store.close();
      await made.remove();
    }
  },
);
