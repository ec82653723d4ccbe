import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openStore, sql } from '#kernel/store';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand } from '../support/process.ts';

const OWNER = ['--email', 'owner@roost.test', '--full-name', 'Olive Owner'];

/** Splits what a receiver got by the lengths in front of the messages, which count bytes (RFC 6587, 3.4.1). */
function framesOf(bytes: Buffer): readonly string[] {
  const frames: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [head = '', digits] = /^(\d+) /.exec(bytes.toString('latin1', at, at + 12)) ?? [];
    if (digits === undefined) throw new Error(`no length at byte ${at}`);
    const begin = at + head.length;
    at = begin + Number(digits);
    frames.push(bytes.toString('utf8', begin, at));
  }
  return frames;
}

describe.each(databasesInTurn(import.meta.url))('roost audit on %s (protocol/organizations#audit-log)', (name) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await makeDatabase(name);
    const stdin = 'a long enough password\n';
    await runCommand(database, ['organization', 'create', '--name', 'Rookery', ...OWNER], { stdin });
    await runCommand(database, ['user', 'create', 'max@roost.test', '--full-name', 'Max'], { stdin });
    await runCommand(database, ['user', 'role', 'max@roost.test', 'guest']);
  });
  afterAll(() => database.remove());

  it('names the command as what did it, finds by person and action, and refuses what it cannot read', async () => {
    const said = await runCommand(database, [
      'audit',
      'list',
      '--json',
      '--action',
      'user.role',
      '--to',
      'max@roost.test',
    ]);
    expect(JSON.parse(said)).toMatchObject([
      { by: 'command', via: 'roost user role', after: '{"role":600}', before: '{"role":400}' },
    ]);
    const { code, said: refusal } = await refusedCommand(database, ['audit', 'list', '--by', 'nobody@roost.test']);
    expect([code, refusal]).toEqual([1, 'nobody has the address nobody@roost.test\n']);
    expect((await refusedCommand(database, ['audit', 'list', '--since', 'soon'])).said).toMatch(
      /^--since takes a time/,
    );
  });

  it('writes JSON lines, and goes on after an entry', async () => {
    const lines = (await runCommand(database, ['audit', 'export'])).trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { id: number; action: string });
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1));
    expect(JSON.stringify(entries)).not.toContain('a long enough password');
    const after = String(entries.length - 1);
    expect((await runCommand(database, ['audit', 'export', '--after', after])).trim().split('\n')).toHaveLength(1);
  });

  it('writes no character that a terminal would obey or not show, and yet means the same', async () => {
    const name = 'Mallory \u202e\u200b\u{e0041}moc';
    const stdin = 'a long enough password\n';
    await runCommand(database, ['user', 'create', 'mallory@roost.test', '--full-name', name], { stdin });
    for (const command of [['export'], ['list', '--json']]) {
      const said = await runCommand(database, ['audit', ...command]);
      expect(said.match(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u)).toBeNull();
      expect(said).toContain('\\u202e\\u200b\\udb40\\udc41moc');
    }
    const entries = (await runCommand(database, ['audit', 'export'])).trim().split('\n');
    expect(JSON.stringify(entries.map((line) => JSON.parse(line) as unknown))).toContain(name);
  });

  it('sends to a syslog receiver, framed by length, and gives up on one that is away', async () => {
    const taken: Buffer[] = [];
    const receiver = createServer((socket) => socket.on('data', (chunk: Buffer) => taken.push(chunk))).listen(
      0,
      '127.0.0.1',
    );
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const said = await runCommand(database, ['audit', 'syslog', '--receiver', `tcp://127.0.0.1:${port}`]);
    const last = /sent up to entry (\d+)/.exec(said)?.[1];
    await new Promise<void>((resolve) => {
      receiver.close(() => resolve());
    });
    const messages = framesOf(Buffer.concat(taken));
    expect(messages).toHaveLength(Number(last));
    expect(messages[0]).toMatch(
      /^<109>1 \d{4}-\S+Z \S+ roost - \S+ \[roost@32473 realm="1" entry="1" hash="[0-9a-f]{64}"\] \{/,
    );
    const away = await refusedCommand(database, ['audit', 'syslog', '--receiver', 'tcp://127.0.0.1:1']);
    expect(away.said).toMatch(/127\.0\.0\.1:1 takes no entries: connect ECONNREFUSED/);
    expect((await refusedCommand(database, ['audit', 'syslog', '--receiver', 'udp://x'])).said).toMatch(
      /^--receiver takes/,
    );
  });

  it('and the doctor say where the chain is broken', async () => {
    expect(await runCommand(database, ['audit', 'verify'])).toMatch(/all unchanged; the last hash is [0-9a-f]{64}/);
    expect(await runCommand(database, ['doctor'])).toMatch(/^ok {4}audit log +\d+ entries, all unchanged$/m);
    const { dataDir, databaseUrl: url } = database;
    const store = await openStore({ url, file: dataPaths(dataDir).database, clock: systemClock, poolSize: 1 });
    await store.write((tx) =>
      sql`update audit_entry set said_after = '{"role":100}' where sequence = 3`.execute(tx.db),
    );
    await store.close();
    const { code, said } = await refusedCommand(database, ['doctor']);
    expect(code).toBe(1);
    expect(said).toMatch(/^FAIL {2}audit log +Rookery: entry 3 was changed, added or removed$/m);
    expect((await refusedCommand(database, ['audit', 'verify'])).said).toBe('entry 3 was changed, added or removed\n');
  });
});
