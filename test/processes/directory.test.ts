import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { signInFile } from '../support/identity-provider.ts';
import { refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { hasSlapd, PEOPLE, READER, Slapd } from '../support/slapd.ts';

const PASSWORD = 'three nests in the north tower';
const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];

describe.runIf(hasSlapd()).each(databasesInTurn(import.meta.url))(
  'an operator lets a directory manage an organization, on %s',
  (name) => {
    let slapd: Slapd;
    let database: TestDatabase;
    let server: ServerProcess;
    let environment: Record<string, string>;
    beforeAll(async () => {
      slapd = await Slapd.open();
      await slapd.addPerson('olive', { cn: 'Olive Owner the First' });
      const ldap = { url: slapd.url, bind_dn: READER.dn, bind_password: READER.password, base: PEOPLE };
      environment = signInFile({ ldap: { '': ldap } });
      database = await makeDatabase(name);
      await runCommand(database, ['organization', 'create', ...OWNER], { stdin: PASSWORD });
      server = await startProcess(database, 0, environment, 'serve');
    });
    afterAll(async () => {
      await server.kill('SIGTERM');
      await database.remove();
      await slapd.close();
    });

    const run = (...command: string[]) => runCommand(database, command, { environment });
    const refused = async (...command: string[]) => (await refusedCommand(database, command, { environment })).said;

    it('follows an LDAP directory, and says before what that would change', async () => {
      const changes = [
        { what: 'connect', person: 'olive@roost.test', detail: '' },
        { what: 'rename', person: 'olive@roost.test', detail: 'Olive Owner the First' },
      ];
      expect(JSON.parse(await run('ldap', 'sync', '--dry-run', '--json'))).toEqual(changes);
      expect(await run('user', 'list')).not.toContain('the First');
      expect(JSON.parse(await run('ldap', 'sync', '--json'))).toEqual(changes);
      expect(await run('user', 'list')).toContain('Olive Owner the First');
      expect(await run('ldap', 'sync')).toBe('everything is as the directory says\n');
      expect((await refusedCommand(database, ['ldap', 'sync'])).said).toBe(
        'ROOST_SIGN_IN_FILE names no directory for this organization\n',
      );
    });

    it('asks the directory whether it answers', async () => {
      const said = (await refusedCommand(database, ['doctor'], { environment })).said;
      expect(said).toContain(`${slapd.url} answers`);
    });

    it('makes, lists and ends the tokens of SCIM', async () => {
      const token = (await run('scim', 'add-token', 'Okta')).trim();
      const ask = async () =>
        (await fetch(`${server.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })).status;
      expect(await ask()).toBe(200);
      const listed: { id: number; name: string }[] = JSON.parse(await run('scim', 'list-tokens', '--json'));
      expect(listed).toEqual([expect.objectContaining({ name: 'Okta', last_used: expect.any(String) })]);
      expect(await refused('scim', 'revoke-token', '0')).toBe('there is no token 0\n');
      expect(await ask()).toBe(200);
      await run('scim', 'revoke-token', String(listed[0]?.id));
      expect(await ask()).toBe(401);
      expect(await run('scim', 'list-tokens')).toBe('there is no token\n');
    });
  },
);
