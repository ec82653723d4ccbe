import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { migrate, openStore, sql } from '#kernel/store';
import { makeDatabase } from '../../test/support/databases.ts';
import { migrations } from './index.ts';

it('no table of SQLite changes another by itself, on which answers that are kept rely (decision 0011)', async () => {
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
