import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];

describe.each(databases)('a start on %s', (name) => {
  let database: TestDatabase;
  const servers: ServerProcess[] = [];
  const serve = async () => {
    const server = await startProcess(database, 0, {}, 'serve');
    servers.push(server);
    return server;
  };
  beforeEach(async () => (database = await makeDatabase(name)));
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.kill('SIGKILL')));
    await database.remove();
  });

  it.runIf(name === 'sqlite')('is refused in one line beside a process that serves the same file', async () => {
    const first = await serve();
    const { code, said } = await refusedCommand(database, ['serve'], { environment: { ROOST_PORT: '0' } });
    expect({ code, lines: said.trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringMatching(/roost\.sqlite3 is served by another process already/)],
    });
    // What only works beside the server is let in.
    expect(
      await runCommand(database, ['organization', 'create', ...OWNER], { stdin: 'three nests in the tower\n' }),
    ).toMatch(/^created /m);
    expect(await runCommand(database, ['jobs', 'list'])).toBe('no job was given up\n');
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.kill('SIGKILL');
    expect((await fetch(`${(await serve()).url}/health`)).status).toBe(200);
  });

  it.runIf(name === 'postgres')('is refused in one line where nothing can be written', async () => {
    const { databaseUrl = '' } = database;
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    await client.end();
    const { code, said } = await refusedCommand(database, ['serve'], { environment: { ROOST_PORT: '0' } });
    expect(code).toBe(1);
    expect(said).toMatch(/^the database is not available: cannot execute .* in a read-only transaction$/m);
    expect(said).not.toMatch(/^ready/m);
  });
});
