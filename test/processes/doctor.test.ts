import { chmodSync, closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openStore, sql } from '#kernel/store';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand } from '../support/process.ts';

/** A port that nobody may listen on. */
const NOBODY = '127.0.0.1:1';

describe.each(databasesInTurn(import.meta.url))('roost doctor on %s', (name) => {
  let database: TestDatabase;
  beforeEach(async () => (database = await makeDatabase(name)));
  afterEach(() => database.remove());

  /** Does something to the database behind the back of all commands. */
  async function run(...statements: string[]): Promise<void> {
    const { dataDir, databaseUrl: url } = database;
    const store = await openStore({ url, file: dataPaths(dataDir).database, clock: systemClock, poolSize: 1 });
    await store.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx.db);
    });
    await store.close();
  }
  const job = (id: number, run_at: number, failed_at: number | null) =>
    `insert into job (id, realm_id, kind, payload, run_at, leased_until, attempts, failed_at)
     values (${id}, 1, 'any', 'null', ${run_at}, 0, 12, ${failed_at})`;

  it('finds nothing wrong where nothing is, and leaves nothing behind', async () => {
    const said = await runCommand(database, ['doctor']);
    expect(said).toMatch(/^ok {4}schema +up to date \(\d+ migrations\)$/m);
    expect(said).toMatch(
      name === 'sqlite' ? /^ok {4}integrity +no fault found$/m : /^ok {4}clock +the database's clock/m,
    );
    expect(said).toMatch(/^ok {4}jobs +0 waiting, 0 due$/m);
    expect(said).toMatch(/^ok {4}file store +a file was written/m);
    expect(said).toMatch(/^note {2}mail +ROOST_SMTP_URL is unset/m);
    expect(said).toMatch(/^nothing is wrong$/m);
    expect(existsSync(join(database.dataDir, 'files/doctor'))).toBe(false);
  });

  it('names what does not answer, whatever is configured, and no secret', async () => {
    const environment = {
      ROOST_REDIS_URL: `redis://:hush@${NOBODY}`,
      ROOST_SMTP_URL: `smtp://me:hush@${NOBODY}`,
      ROOST_UPLOADS_URL: `s3://me:hush@bucket?endpoint=http://${NOBODY}`,
      ...(name === 'postgres' && { ROOST_DATABASE_URL: `postgres://me:hush@${NOBODY}/none` }),
    };
    const { code, said } = await refusedCommand(database, ['doctor'], { environment });
    expect(code).toBe(1);
    for (const about of ['redis', 'mail', 'file store']) expect(said).toMatch(new RegExp(`^FAIL  ${about} +\\w`, 'm'));
    expect(said).toMatch(name === 'postgres' ? /^FAIL {2}database +connect ECONNREFUSED/m : /^ok {4}database/m);
    expect(said).toMatch(name === 'postgres' ? /^4 faults$/m : /^3 faults$/m);
    expect(said).not.toContain('hush');
    const misspelt = await refusedCommand(database, ['doctor'], { environment: { ROOST_PROT: '1' } });
    expect(misspelt).toEqual({
      code: 1,
      said: 'FAIL  configuration   ROOST_PROT is not a variable of Roost; ROOST_PORT is\n1 fault\n',
    });
  });

  it('finds jobs that nobody runs, those given up lately, and a schema that is behind', async () => {
    const now = systemClock.now();
    const day = Math.floor(now / 86_400);
    await run(`insert into undelivered (realm_id, day, road, reason, count, last_at) values
      (1, ${day}, 'web', 'timeout', 3, ${now}), (1, ${day - 1}, 'web', 'timeout', 2, ${now - 86_400}),
      (1, ${day - 20}, 'mail', 'refused', 9, ${now - 20 * 86_400})`);
    await run(job(1, now - 3600, null), job(2, now + 3600, null), job(3, now - 3600, now - 60));
    const busy = await refusedCommand(database, ['doctor']);
    expect(busy).toMatchObject({ code: 1 });
    expect(busy.said).toMatch(/^FAIL {2}jobs +2 waiting, 1 due, the oldest for 60 minutes: does a server run\?$/m);
    expect(busy.said).toMatch(/^note {2}not delivered +browsers: 5 × timeout, the last at \d{4}-/m);
    expect(busy.said).not.toContain('refused');
    expect(busy.said).toMatch(/^FAIL {2}jobs given up +1, the last at \d{4}-/m);

    await run(
      'delete from job',
      job(4, now, now - 90_000),
      "delete from schema_migration where name like '%reminders'",
    );
    const behind = await refusedCommand(database, ['doctor']);
    expect(behind.said).toMatch(/^FAIL {2}schema +migrations to apply: 1;/m);
    expect(behind.said).toMatch(/^1 fault$/m);
  });

  it.runIf(name === 'sqlite')(
    'finds a damaged database, and a secret that others can read',
    async () => {
      const { database: file, secret } = dataPaths(database.dataDir);
      const opened = openSync(file, 'r+');
      writeSync(opened, Buffer.alloc(4096, 0xaa), 0, 4096, Math.floor(statSync(file).size / 8192) * 4096);
      closeSync(opened);
      closeSync(openSync(secret, 'w'));
      chmodSync(secret, 0o644);
      const { code, said } = await refusedCommand(database, ['doctor']);
      expect(code).toBe(1);
      expect(said).toMatch(/^FAIL {2}(integrity|database) +/m);
      expect(said).toMatch(/^FAIL {2}data folder +others have rights to \S*secret: chmod/m);
    },
    60_000,
  );
});
