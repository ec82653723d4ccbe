import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, refusedCommand, runCommand, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];
const CREATE = ['organization', 'create', ...OWNER];
const PASSWORD = 'three nests in the north tower';

describe.each(databasesInTurn(import.meta.url))('an operator makes an organization on %s', (name) => {
  let database: TestDatabase;
  beforeAll(async () => (database = await makeDatabase(name)));
  afterAll(() => database.remove());

  it('with a password on standard input, and its server takes any free port and says which', async () => {
    const link = await startProcess(database, 0, {}, 'serve');
    expect(link.output()).toContain(`${link.url}/new/`);
    expect(link.url).toMatch(/^http:\/\/localhost:[1-9]\d+$/);
    await link.kill('SIGTERM');

    expect(await refusedCommand(database, CREATE)).toEqual({
      code: 1,
      said: 'no password was given on standard input\n',
    });
    expect((await refusedCommand(database, CREATE, { stdin: 'short\n' })).said).toBe(
      'The password needs at least 8 characters.\n',
    );
    expect(await runCommand(database, CREATE, { stdin: `${PASSWORD}\n` })).toMatch(/^created http/m);
    expect((await refusedCommand(database, CREATE, { stdin: PASSWORD })).said).toMatch(/^there is an organization at/m);

    const server = await startProcess(database, 0, {}, 'serve');
    expect(server.output()).not.toContain('/new/');
    const nobody = { email: '', api_key: '' };
    const login = { username: 'olive@roost.test', password: PASSWORD };
    const reply = await call(server, nobody, 'POST', '/fetch_api_key', login);
    expect(reply).toMatchObject({ result: 'success', email: 'olive@roost.test' });

    const olive = { email: 'olive@roost.test', api_key: String(reply['api_key']) };
    await call(server, olive, 'POST', '/realm/deactivate', { deletion_delay_days: 30 });
    expect(await call(server, olive, 'GET', '/users/me')).toMatchObject({ code: 'REALM_DEACTIVATED' });
    expect(await runCommand(database, ['organization', 'reactivate'])).toMatch(/^reactivated http/m);
    expect(await call(server, olive, 'GET', '/users/me')).toMatchObject({ result: 'success' });
    expect((await refusedCommand(database, ['organization', 'reactivate'])).said).toMatch(/ is in use$/m);
    const elsewhere = ['organization', 'reactivate', '--subdomain=nowhere'];
    expect((await refusedCommand(database, elsewhere)).said).toMatch(/^there is no organization at/m);
    await server.kill('SIGTERM');
  });
});
