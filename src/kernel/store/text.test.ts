import { join } from 'node:path';
import { TestClock } from '#kernel/clock';
import { asId, type RealmId } from '#kernel/ids';
import { openStore } from '#kernel/store';
import { expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';

it.each(databases)('text with a NUL byte does not fail on %s', async (database) => {
  const { databaseUrl, dataDir, remove } = await makeDatabase(database);
  const store = await openStore({ url: databaseUrl, file: join(dataDir, 'roost.sqlite3'), clock: new TestClock() });
  const job = { kind: 'a\0b', job_key: 'one', payload: '{}', run_at: 0, leased_until: 0, attempts: 0, failed_at: null };
  try {
    await store.write((tx) =>
      tx.db
        .insertInto('job')
        .values({ ...job, realm_id: asId<RealmId>(1) })
        .execute(),
    );
    const kinds = await store.read((tx) => tx.db.selectFrom('job').select('kind').execute());
    expect(kinds).toEqual([{ kind: 'a\uFFFDb' }]);
    const others = (tx: Parameters<Parameters<typeof store.read>[0]>[0]) =>
      tx.db.selectFrom('job').select('kind').where('kind', '=', '\0').execute();
    expect(await store.read(others)).toEqual([]);
    const listed = await store.read((tx) =>
      tx.db
        .selectFrom('job')
        .select('kind')
        .where(tx.dialect.anyOfText('kind', ['a\0b', '\0']))
        .execute(),
    );
    expect(listed).toEqual(kinds);
  } finally {
    await store.close();
    await remove();
  }
});
