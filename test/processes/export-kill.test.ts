import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import {
  beginCommand,
  call,
  demoAccount,
  refusedCommand,
  runCommand,
  type ServerProcess,
  startProcess,
} from '../support/process.ts';

describe.each(databasesInTurn(import.meta.url))('an export that is killed, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, 0);
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await database.remove();
  });

  it('is begun anew by the next one, beside the running server, and says so', async () => {
    const folder = join(database.dataDir, 'export');
    const mark = join(folder, 'UNFINISHED');
    const child = beginCommand(database, ['export', folder]);
    const gone = once(child, 'exit');
    while (!existsSync(mark) || readFileSync(mark, 'utf8') === '') await new Promise(setImmediate);
    child.kill('SIGKILL');
    await gone;
    expect(child.signalCode).toBe('SIGKILL');
    expect(existsSync(mark)).toBe(true);
    writeFileSync(join(folder, 'messages-000001.json'), 'half of it');

    const max = await demoAccount(server, 'member@roost.test');
    const sent = { type: 'direct', to: [max.user_id], content: 'said in between' };
    expect(await call(server, max, 'POST', '/messages', sent)).toMatchObject({ result: 'success' });
    const said = await runCommand(database, ['export', folder]);
    expect(said).toContain('was not finished: starting over');
    expect(said).toMatch(/^exported \d+ users/m);
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(folder, 'messages-000001.json'), 'utf8')).toContain('said in between');
    expect(existsSync(join(folder, 'migration_status.json'))).toBe(true);
    // A whole one is not begun anew, and what somebody else has written is left alone.
    expect((await refusedCommand(database, ['export', folder])).said).toContain('is not empty');
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(mark, 'mine');
    expect((await refusedCommand(database, ['export', folder])).said).toContain('is not empty');
    expect(readFileSync(mark, 'utf8')).toBe('mine');
  });

  it('is refused while another one runs, which comes out whole', async () => {
    const folder = join(database.dataDir, 'twice');
    const child = beginCommand(database, ['export', folder]);
    const gone = once(child, 'exit');
    while (!existsSync(join(folder, 'UNFINISHED'))) await new Promise(setImmediate);
    child.kill('SIGSTOP');
    for (const more of [[], ['--user', 'member@roost.test']])
      expect((await refusedCommand(database, ['export', folder, ...more])).said).toBe(
        'another export of this organization is running: wait until it has ended\n',
      );
    child.kill('SIGCONT');
    expect(await gone).toEqual([0, null]);
    for (const file of ['realm.json', 'messages-000001.json', 'uploads/records.json', 'realm_icons/records.json'])
      expect(existsSync(join(folder, file))).toBe(true);
  });

  it('of one person is whole, and is refused for nobody and for two kinds at once', async () => {
    const folder = join(database.dataDir, 'person');
    const refused = async (...more: string[]) => (await refusedCommand(database, ['export', folder, ...more])).said;
    expect(await refused('--user', 'nobody@roost.test')).toMatch(/^nobody has the address nobody@roost\.test at http/m);
    expect(await refused('--user', 'member@roost.test', '--public')).toBe('--user needs no --public\n');
    const said = await runCommand(database, ['export', folder, '--user', 'member@roost.test']);
    expect(said).toMatch(/^exported \d+ messages and \d+ files of member@roost\.test$/m);
    expect(readFileSync(join(folder, 'account.json'), 'utf8')).toContain('member@roost.test');
    expect(existsSync(join(folder, 'UNFINISHED'))).toBe(false);
  });
});
