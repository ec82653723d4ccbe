import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openStore, sql } from '#kernel/store';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];
const OTHER_TIME = new URL('../faults/support/other-time.mjs', import.meta.url).href;
const AN_HOUR_LATER = { NODE_OPTIONS: `--import=${OTHER_TIME}`, ROOST_TEST_OTHER_TIME_MS: '3600000' };

describe.each(databasesInTurn(import.meta.url))('what is wrong around a server, on %s', (name) => {
  let database: TestDatabase;
  const open: Server[] = [];
  const servers: ServerProcess[] = [];
  const mounts: string[] = [];
  beforeEach(async () => (database = await makeDatabase(name)));
  afterEach(async () => {
    for (const server of open.splice(0)) server.close();
    await Promise.all(servers.splice(0).map((server) => server.kill('SIGKILL')));
    for (const folder of mounts.splice(0)) execFileSync('/bin/umount', ['-l', folder]);
    await database.remove();
  });

  const doctor = async (environment: Record<string, string>) =>
    (await refusedCommand(database, ['doctor'], { environment })).said;
  const start = async (environment: Record<string, string>) => {
    const { code, said } = await refusedCommand(database, ['serve'], { environment });
    return { code, lines: said.trim().split('\n') };
  };
  const serve = async (environment: Record<string, string> = {}, port = 0) => {
    const server = await startProcess(database, port, environment, 'serve');
    servers.push(server);
    return server;
  };
  const listening = async (server: Server): Promise<string> => {
    open.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return String((server.address() as AddressInfo).port);
  };
  /** A disk of its own in memory, which only root may make; undefined where we are nobody. */
  const disk = (options: string): string | undefined => {
    const folder = join(database.dataDir, `disk-${mounts.length}`);
    mkdirSync(folder);
    try {
      execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    mounts.push(folder);
    return folder;
  };

  it('a port that another program has is found beforehand, and ends the start in one line', async () => {
    const port = await listening(createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{}')));
    const line = `ROOST_PORT: ${port} is in use on 127.0.0.1: another program listens there already`;
    expect(await doctor({ ROOST_PORT: port })).toContain(`FAIL  port            ${line}\n`);
    expect(await start({ ROOST_PORT: port })).toEqual({ code: 1, lines: [line] });
    const free = String(await freePort());
    expect(await doctor({ ROOST_PORT: free })).toContain(`ok    port            ${free} is free on 127.0.0.1\n`);
    await serve({}, Number(free));
    expect(await doctor({ ROOST_PORT: free })).toMatch(
      /^ok {4}port +a server of Roost answers on \d+ of 127\.0\.0\.1$/m,
    );
  });

  it('an address that this machine has not is found beforehand, too', async () => {
    const environment = { ROOST_HOST: '192.0.2.1', ROOST_PORT: String(await freePort()) };
    const line = 'ROOST_HOST: this machine has no address 192.0.2.1; 0.0.0.0 means all it has';
    expect(await doctor(environment)).toContain(`FAIL  port            ${line}\n`);
    expect(await start(environment)).toEqual({ code: 1, lines: [line] });
  });

  it('a public address that leads elsewhere is found while the server runs', async () => {
    const elsewhere = await listening(createServer((socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n')));
    const port = await freePort();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const own = { ROOST_PORT: String(port), ROOST_EXTERNAL_URL: `http://127.0.0.1:${port}` };
    await runCommand(database, ['organization', 'create', ...OWNER], { stdin: 'three nests in the tower\n' });
    await serve(own, port);
    expect(await doctor(own)).toContain(`ok    public address  ${own.ROOST_EXTERNAL_URL} leads to this server\n`);
    const said = (url: string) => doctor({ ...own, ROOST_EXTERNAL_URL: url });
    expect(await said(`http://127.0.0.1:${elsewhere}`)).toMatch(/^FAIL {2}public address +http:\S+ leads elsewhere: /m);
    expect(await said(nobody)).toMatch(
      /^FAIL {2}public address +nobody answers at \S+ from this machine: .*ECONNREFUSED/m,
    );
    // The server was started with another address than it has now.
    expect(await said(`http://localhost:${port}`)).toContain(
      `FAIL  public address  http://localhost:${port} leads to a server whose address is ${own.ROOST_EXTERNAL_URL}\n`,
    );
  });

  it.runIf(name === 'sqlite')(
    'a data folder that cannot be used is found beforehand, and ends the start in one line',
    async () => {
      const file = join(database.dataDir, 'a-file');
      writeFileSync(file, '');
      expect(await doctor({ ROOST_DATA_DIR: file })).toContain(
        `FAIL  data folder     ROOST_DATA_DIR: ${file} is a file\n`,
      );
      expect(await start({ ROOST_DATA_DIR: file })).toEqual({
        code: 1,
        lines: [`ROOST_DATA_DIR: ${file} cannot be used: it is a file`],
      });
      const still = disk('size=1m,ro');
      if (still !== undefined) {
        expect(await doctor({ ROOST_DATA_DIR: still })).toMatch(
          /^FAIL {2}data folder +\S+ cannot be written by this user$/m,
        );
        expect(await start({ ROOST_DATA_DIR: still })).toEqual({
          code: 1,
          lines: [`ROOST_DATA_DIR: ${still} cannot be used: its disk takes no writes`],
        });
      }
      const full = disk('size=64k');
      if (full !== undefined) {
        writeFileSync(join(full, 'filler'), Buffer.alloc(60_000));
        expect(await doctor({ ROOST_DATA_DIR: full })).toMatch(
          /^FAIL {2}disk space +0\.0 GiB free for the data folder: too little$/m,
        );
        expect(await start({ ROOST_DATA_DIR: full, ROOST_PORT: '0' })).toEqual({
          code: 1,
          lines: [expect.stringMatching(/^ROOST_DATA_DIR: \S+ cannot be used: its disk is full$/)],
        });
      }
    },
  );

  it.runIf(name === 'postgres')(
    'a PostgreSQL that is too old ends the start in one line, and the doctor names it',
    async () => {
      const url = new URL(database.databaseUrl ?? '');
      const far = { port: Number(url.port), host: url.hostname };
      // What it says of its version passes through somebody who makes it older.
      const aged = createServer((near) => {
        const socket = connect(far);
        near.pipe(socket);
        socket.on('data', (bytes) =>
          near.write(Buffer.from(bytes.toString('latin1').replace(/1[4-9]0\d{3}/, '130022'), 'latin1')),
        );
        for (const one of [near, socket]) one.on('error', () => undefined);
        socket.on('close', () => near.destroy());
      });
      url.host = `127.0.0.1:${await listening(aged)}`;
      const environment = { ROOST_DATABASE_URL: url.href, ROOST_PORT: '0' };
      expect(await doctor(environment)).toMatch(/^FAIL {2}postgresql +13 is too old; 14 or newer is needed$/m);
      expect(await start(environment)).toEqual({
        code: 1,
        lines: ['ROOST_DATABASE_URL: PostgreSQL 13 is too old; 14 or newer is needed'],
      });
    },
  );

  it('a Redis that is absent is found beforehand; a server starts without it, and says so in one line', async () => {
    const environment = { ROOST_REDIS_URL: 'redis://:hush@127.0.0.1:1' };
    expect(await doctor(environment)).toMatch(/^FAIL {2}redis +connect ECONNREFUSED 127\.0\.0\.1:1$/m);
    const server = await serve(environment);
    expect(server.output().match(/ROOST_REDIS_URL: Redis carries no wake-ups now/g)).toHaveLength(1);
    expect(server.output()).not.toContain('hush');
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'degraded' });
  });

  it('a clock that is wrong is found, and a start says so in one line', async () => {
    await runCommand(database, ['organization', 'create', ...OWNER], { stdin: 'three nests in the tower\n' });
    if (name === 'postgres') {
      expect(await doctor(AN_HOUR_LATER)).toMatch(
        /^FAIL {2}clock +the database's clock is 3\d\d\d\.\d s behind ours$/m,
      );
      const server = await serve(AN_HOUR_LATER);
      expect(server.output().match(/this machine's clock is not the database's/g)).toHaveLength(1);
      return;
    }
    expect(await doctor({})).toMatch(/^ok {4}clock +no message is newer than now$/m);
    // The first messages of an organization are sent by the server.
    const first = await serve();
    await expect
      .poll(async () => (await doctor({})).match(/^ok {4}jobs +\d+ waiting, (\d+) due$/m)?.[1], { timeout: 30_000 })
      .toBe('0');
    await first.kill('SIGTERM');
    await future(3600);
    expect(await doctor({})).toMatch(
      /^FAIL {2}clock +the newest message is of \S+, and this machine says that it is \S+$/m,
    );
    const server = await serve();
    expect(server.output().match(/the newest message is of a later time/g)).toHaveLength(1);
  });

  /** Has the newest message be of a time to come. */
  async function future(seconds: number): Promise<void> {
    const { dataDir, databaseUrl: url } = database;
    const store = await openStore({ url, file: dataPaths(dataDir).database, clock: systemClock, poolSize: 1 });
    await store.write((tx) =>
      sql`update message set sent_at = ${systemClock.now() + seconds} where id = (select max(id) from message)`.execute(
        tx.db,
      ),
    );
    await store.close();
  }
});
