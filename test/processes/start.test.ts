import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];

describe.each(databasesInTurn(import.meta.url))('a start on %s', (name) => {
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

  it.runIf(name === 'sqlite')('says in one line which variable is wrong where the machine refuses', async () => {
    const { url } = await serve();
    const { port } = new URL(url);
    const folder = join(database.dataDir, 'taken');
    writeFileSync(folder, '');
    const cases: readonly (readonly [Record<string, string>, string | RegExp])[] = [
      [
        { ROOST_PORT: port, ROOST_DATA_DIR: join(database.dataDir, 'other') },
        `ROOST_PORT: ${port} is in use on 127.0.0.1: another program listens there already`,
      ],
      [
        { ROOST_PORT: '0', ROOST_HOST: '192.0.2.1', ROOST_DATA_DIR: join(database.dataDir, 'third') },
        'ROOST_HOST: this machine has no address 192.0.2.1; 0.0.0.0 means all it has',
      ],
      [{ ROOST_DATA_DIR: folder }, `ROOST_DATA_DIR: ${folder} cannot be used: it is a file`],
      [
        { ROOST_DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/none' },
        /^ROOST_DATABASE_URL: PostgreSQL cannot be used there: connect ECONNREFUSED 127\.0\.0\.1:1$/,
      ],
    ];
    for (const [environment, line] of cases) {
      const { code, said } = await refusedCommand(database, ['serve'], { environment });
      expect(code).toBe(1);
      expect(said.trim()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
      expect(said).not.toContain('hush');
    }
  });

  it('is refused with a line for each mistake of the configuration', async () => {
    const environment = { ROOST_UPLOADS_URL: 's3://bucket', ROOST_TRUSTED_PROXIES: 'proxy', ROOST_PROT: '1' };
    const { code, said } = await refusedCommand(database, ['serve'], { environment });
    expect(code).toBe(1);
    expect(said.trim().split('\n')).toEqual([
      'The configuration has mistakes:',
      '  - ROOST_UPLOADS_URL: the object store needs an access key and its secret',
      expect.stringMatching(/^ {2}- ROOST_TRUSTED_PROXIES: "proxy" is not a list of addresses or networks/),
      '  - ROOST_PROT is not a variable of Roost; ROOST_PORT is',
    ]);
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
