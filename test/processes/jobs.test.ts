import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openStore, sql } from '#kernel/store';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { refusedCommand, runCommand, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];
const FAILED_AT = 1_790_000_000;

describe.each(databasesInTurn(import.meta.url))('an operator retries jobs that were given up on %s', (name) => {
  let database: TestDatabase;
  beforeAll(async () => (database = await makeDatabase(name)));
  afterAll(() => database.remove());

  /** Stores mails that were given up, behind the back of all commands. */
  async function giveUp(...subjects: string[]): Promise<void> {
    const { dataDir, databaseUrl: url } = database;
    const store = await openStore({ url, file: dataPaths(dataDir).database, clock: systemClock, poolSize: 1 });
    await store.write(async (tx) => {
      for (const [index, subject] of subjects.entries()) {
        const mail = { to: { address: 'olive@roost.test' }, subject, text: 'A link to log in.' };
        await sql`insert into job (id, realm_id, kind, payload, run_at, leased_until, attempts, failed_at)
          select ${901 + index}, id, 'mail', ${JSON.stringify(mail)}, 1, 0, 12, ${FAILED_AT} from realm`.execute(tx.db);
      }
    });
    await store.close();
  }
  const sent = () => writtenMails(database.dataDir).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim());

  it('one of them or all, beside the running server, and sees nothing of what is in them', async () => {
    await runCommand(database, ['organization', 'create', ...OWNER], { stdin: 'three nests in the tower\n' });
    expect(await runCommand(database, ['jobs', 'list'])).toBe('no job was given up\n');
    expect((await refusedCommand(database, ['jobs', 'retry'])).said).toMatch(/^no job was given up$/m);
    await giveUp('first', 'second', 'third');
    const server = await startProcess(database, 0, {}, 'serve');
    const listed = await runCommand(database, ['jobs', 'list']);
    expect(listed).toMatch(/^901 +mail +\d+ +2026-09-21T\d\d:\d\d:20.000Z +12 +no$/m);
    expect(JSON.parse(await runCommand(database, ['jobs', 'list', '--json']))).toHaveLength(3);
    expect(listed).not.toMatch(/link|olive/);
    expect((await refusedCommand(database, ['jobs', 'retry', 'x'])).said).toMatch(/^"x" is no number of a job$/m);
    expect((await refusedCommand(database, ['jobs', 'retry', '7'])).said).toMatch(/^no job 7 was given up$/m);

    expect(await runCommand(database, ['jobs', 'retry', '902'])).toBe('1 job will be tried anew\n');
    await expect.poll(sent, { interval: 100 }).toEqual(['second']);
    expect(await runCommand(database, ['jobs', 'retry'])).toBe('2 jobs will be tried anew\n');
    await expect.poll(() => new Set(sent())).toEqual(new Set(['first', 'second', 'third']));
    expect(await runCommand(database, ['jobs', 'list'])).toBe('no job was given up\n');
    await server.kill('SIGTERM');
  });
});
