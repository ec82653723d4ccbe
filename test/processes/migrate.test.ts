import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openStore, sql } from '#kernel/store';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand } from '../support/process.ts';

describe.each(databasesInTurn(import.meta.url))('roost migrate on %s', (name) => {
  let database: TestDatabase;
  beforeAll(async () => (database = await makeDatabase(name)));
  afterAll(() => database.remove());

  /** Does something to the database behind the back of all commands. */
  async function run(statement: string): Promise<void> {
    const { dataDir, databaseUrl } = database;
    const store = await openStore({
      url: databaseUrl,
      file: dataPaths(dataDir).database,
      clock: new TestClock(),
      poolSize: 1,
    });
    await store.write((tx) => sql.raw(statement).execute(tx.db));
    await store.close();
  }

  it('applies what is missing and says what, and refuses a schema from the future', async () => {
    expect(await runCommand(database, ['migrate'])).toMatch(/^the schema was up to date \(\d+ migrations\)\n$/);
    await run("delete from schema_migration where name like '%reminders'");
    await run('drop table reminder');
    expect(await runCommand(database, ['migrate'])).toMatch(
      /^applied 2026-11-21T1010-reminders\nthe schema is up to date now \(\d+ migrations\)\n$/,
    );
    await run("insert into schema_migration (name, applied_at) values ('2036-11-21T0000-later', 0)");
    expect(await refusedCommand(database, ['migrate'])).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^The database was changed by a newer release of Roost \(2036-11-21T0000-later\)\..*\n$/,
      ),
    });
  });
});
