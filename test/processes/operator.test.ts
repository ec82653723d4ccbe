import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, MAIN, refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const PASSWORD = 'three nests in the north tower';
const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];

describe.each(databasesInTurn(import.meta.url))(
  'an operator manages an organization by commands beside the running server, on %s',
  (name) => {
    let database: TestDatabase;
    let server: ServerProcess;
    let olive: { email: string; api_key: string };
    beforeAll(async () => {
      database = await makeDatabase(name);
      await run(['organization', 'create', ...OWNER], PASSWORD);
      server = await startProcess(database, 0, {}, 'serve');
      olive = await logIn('olive@roost.test');
    });
    afterAll(async () => {
      await server.kill('SIGTERM');
      await database.remove();
    });

    const run = (command: readonly string[], stdin = '') => runCommand(database, command, { stdin });
    const refused = async (...command: string[]) => (await refusedCommand(database, command)).said;
    const json = async (...command: string[]): Promise<unknown> => JSON.parse(await run([...command, '--json']));

    async function logIn(username: string): Promise<{ email: string; api_key: string }> {
      const nobody = { email: '', api_key: '' };
      const reply = await call(server, nobody, 'POST', '/fetch_api_key', { username, password: PASSWORD });
      return { email: username, api_key: String(reply['api_key']) };
    }

    it('makes an account, which gets in and is in the default channels, and gives it a role', async () => {
      const queue = await call(server, olive, 'POST', '/register', { event_types: ['realm_user'] });
      const said = await run(['user', 'create', 'max@roost.test', '--full-name=Max', '--role=moderator'], PASSWORD);
      expect(said).toMatch(/^created max@roost\.test with the ID \d+$/m);
      const events = await call(server, olive, 'GET', '/events', {
        queue_id: queue['queue_id'],
        last_event_id: queue['last_event_id'],
      });
      expect(events['events']).toMatchObject([
        { type: 'realm_user', op: 'add', person: { full_name: 'Max', role: 300 } },
      ]);
      const { subscriptions } = await call(server, await logIn('max@roost.test'), 'GET', '/users/me/subscriptions');
      expect(subscriptions).toHaveLength(3);
      expect(await run(['user', 'role', 'MAX@roost.test', 'guest'])).toBe('MAX@roost.test is guest now\n');
      expect(await json('user', 'list')).toMatchObject([
        { email: 'olive@roost.test', role: 'owner', active: true },
        { email: 'max@roost.test', role: 'guest', active: true },
      ]);
      expect(await run(['user', 'list'])).toMatch(/^id +email +name +role +active +joined\n\d+ +olive@roost\.test /);
    });

    it("ends an account and lets it in again, but never ends the last owner's", async () => {
      expect(await run(['user', 'deactivate', 'max@roost.test'])).toBe('deactivated max@roost.test\n');
      expect(await json('user', 'list')).toHaveLength(1);
      expect(await json('user', 'list', '--all')).toContainEqual(
        expect.objectContaining({ email: 'max@roost.test', active: false }),
      );
      expect(await run(['user', 'reactivate', 'max@roost.test'])).toBe('reactivated max@roost.test\n');
      expect(await refused('user', 'deactivate', 'olive@roost.test')).toBe(
        'Cannot deactivate the only organization owner\n',
      );
    });

    it('lists where somebody is logged in, and logs them out', async () => {
      const page = await fetch(`${server.url}/login/`);
      const csrf = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
      const cookie = page.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      await fetch(`${server.url}/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          cookie,
          origin: server.url,
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
        },
        body: new URLSearchParams({ csrfmiddlewaretoken: csrf, username: 'olive@roost.test', password: PASSWORD }),
      });
      expect(await json('user', 'sessions', 'olive@roost.test')).toMatchObject([
        { browser: expect.stringContaining('Firefox') },
      ]);
      expect(await run(['user', 'sessions', 'olive@roost.test', '--end'])).toMatch(/^logged out of 1$/m);
      expect(await run(['user', 'sessions', 'olive@roost.test'])).toBe('olive@roost.test is logged in nowhere\n');
    });

    it('prints a link to a new password, which ends the one before', async () => {
      const first = (await run(['user', 'reset-password', 'olive@roost.test'])).trim();
      const second = (await run(['user', 'reset-password', 'olive@roost.test'])).trim();
      const at = (link: string) => server.url + new URL(link).pathname;
      expect((await fetch(at(first))).status).toBe(404);
      expect(await (await fetch(at(second))).text()).toContain('type="password"');
      expect(await refused('user', 'reset-password', 'nobody@roost.test')).toBe(
        'nobody has the address nobody@roost.test\n',
      );
    });

    it('makes links and mails that invite, and channels', async () => {
      const link = (await run(['invite', '--channels=general', '--days=3'])).trim();
      expect(new URL(link).pathname).toMatch(/^\/join\/[a-z0-9]{24}\/$/);
      expect(await run(['invite', '--emails=a@roost.test, b@roost.test', '--role=member'])).toBe('invited 2\n');
      const { invites } = await call(server, olive, 'GET', '/invites');
      expect(invites).toHaveLength(3);
      expect(await run(['channel', 'create', 'plans', '--private'])).toMatch(/^created plans with the ID \d+$/m);
      expect(await json('channel', 'list')).toContainEqual(
        expect.objectContaining({ name: 'plans', access: 'private', subscribers: 0 }),
      );
      expect(await json('organization', 'list')).toMatchObject([{ name: 'Rookery', active: true }]);
    });

    it('refuses in one line what makes no sense', async () => {
      expect(await refused('user', 'role', 'max@roost.test', 'king')).toBe(
        '"king" is no role: use one of owner, administrator, moderator, member, guest\n',
      );
      expect(await refused('user', 'deactivate', 'nobody@roost.test')).toBe(
        'nobody has the address nobody@roost.test\n',
      );
      expect(await refused('user', 'list', '--subdomain=nowhere')).toMatch(/^there is no organization at .*\n$/);
      expect(await refused('invite', '--days=0')).toBe('"0" is no number of days between 1 and 3650\n');
      expect(await refused('invite', '--channels=nowhere')).toBe("Invalid channel name 'nowhere'\n");
      expect(await refused('mail', 'test', 'nowhere')).toBe('"nowhere" is no mail address\n');
      const again = ['user', 'create', 'max@roost.test', '--full-name=Another Max'];
      expect((await refusedCommand(database, again, { stdin: PASSWORD })).said).toMatch(/^Email .*\n$/);
    });

    it('says its version, shows no colours to programs, and completes words', async () => {
      expect(await run(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(await run(['user', '--help'])).toMatch(/^Manage the people of an organization/);
      const script = await run(['completion', 'bash']);
      const complete = (...words: string[]) =>
        execFileSync('bash', ['-s'], {
          input: `${script}\nCOMP_WORDS=(roost ${words.join(' ')})\nCOMP_CWORD=${words.length}\n_roost\necho "\${COMPREPLY[*]}"\n`,
          encoding: 'utf8',
        }).trim();
      expect(complete('us')).toBe('user');
      expect(complete('user', 'rea')).toBe('reactivate');
      expect(complete('user', 'list', '--j')).toBe('--json');
      // A reader may stop before the end.
      const cut = spawnSync('bash', [
        '-c',
        '"$0" "$1" completion bash | true; exit ${PIPESTATUS[0]}',
        process.execPath,
        MAIN,
      ]);
      expect([cut.status, cut.stderr.toString()]).toEqual([0, '']);
      expect(await refused('completion', 'tcsh')).toBe('there are completions for bash, zsh, fish, not "tcsh"\n');
    });
  },
);
