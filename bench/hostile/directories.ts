import { type Attack, posting, times } from './attack.ts';

const SCHEMAS = {
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
};
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Members of the largest group that a directory writes. */
export const MANY = Number(process.env['BENCH_GROUP'] ?? 10_000);
/** The same for people, in names of attacks: 10,000. */
const many = MANY.toLocaleString('en');

let token = '';
let group = '';

const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' });
const sent = (method: string, path: string, body: unknown) =>
  posting(`/scim/v2${path}`, headers(), typeof body === 'string' ? body : JSON.stringify(body), method);
const scim = (name: string, send: (round: number) => Buffer): Attack => ({
  name: `SCIM: ${name}`,
  send: (_scene, round) => send(round),
});
const filtered = (path: string, filter: string) => {
  const query = new URLSearchParams({ filter }).toString();
  return Buffer.from(
    `GET /scim/v2${path}?${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
};
const steps = (Operations: unknown) => sent('PATCH', `/Groups/${group}`, { schemas: [PATCH], Operations });
const members = (count: number, first = 1) => times(count, (n) => ({ value: String(first + n) }));

/** Costly requests by the holder of a directory's token. */
export const DIRECTORIES: readonly Attack[] = [
  {
    ...scim(`a group of ${many}`, (round) =>
      sent('POST', '/Groups', { schemas: [SCHEMAS.group], displayName: `many ${round}`, members: members(MANY, 10) }),
    ),
    before: async ({ ask, server }) => {
      token = String((await ask('POST', '/realm/scim_tokens', { name: 'attacker' }))['secret']);
      const body = JSON.stringify({ schemas: [SCHEMAS.group], displayName: 'large', members: members(MANY, 10) });
      const address = `http://127.0.0.1:${server.port}/scim/v2/Groups`;
      const response = await fetch(address, { method: 'POST', headers: headers(), body });
      const { id }: { id?: string } = JSON.parse(await response.text());
      group = id ?? '';
    },
  },
  scim(`${many} members added and removed`, (round) =>
    steps([{ op: round % 2 === 0 ? 'remove' : 'add', path: 'members', value: members(MANY, 10) }]),
  ),
  scim(`a group of ${many}, replaced`, () =>
    sent('PUT', `/Groups/${group}`, { schemas: [SCHEMAS.group], displayName: 'large', members: members(MANY, 10) }),
  ),
  scim(`${many} members nobody is`, () => steps([{ op: 'add', path: 'members', value: members(MANY, 5_000_000) }])),
  scim('100 steps of 400 members', () =>
    steps(times(100, (n) => ({ op: 'add', path: 'members', value: members(400, 10 + n) }))),
  ),
  scim('100 steps with filters of 40 terms', () =>
    steps(
      times(100, (n) => ({
        op: 'remove',
        path: `members[${times(40, (m) => `value eq "${9_000_000 + m + n}"`).join(' or ')}]`,
      })),
    ),
  ),
  scim('5,000 values of one person', (round) =>
    sent('POST', '/Users', {
      schemas: [SCHEMAS.user],
      userName: `s${round}@many.test`,
      emails: times(5_000, (n) => ({ value: `s${round}-${n}@many.test`, type: 'work' })),
    }),
  ),
  scim('a body of 200,000 values', () => sent('POST', '/Users', { x: times(190_000, () => 0) })),
  scim('a body nested 100,000 deep', () => sent('POST', '/Users', `{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)),
  scim('a body of 4 MiB', () => sent('POST', '/Users', { x: 'é'.repeat(2_000_000) })),
  scim('a filter of 1,000 terms', () => filtered('/Users', times(1_000, (n) => `a eq ${n % 10}`).join(' or '))),
  scim('a filter of terms that look through everybody', () =>
    filtered('/Users', times(40, (n) => `userName co "${n}zz"`).join(' or ')),
  ),
  scim('a filter 1,000 deep', () => filtered('/Users', `${'('.repeat(1_000)}a pr${')'.repeat(1_000)}`)),
  scim('a filter of nots', () => filtered('/Users', 'not ('.repeat(400) + 'a pr' + ')'.repeat(400))),
  scim(`a filter for members of a group of ${many}`, () => filtered('/Groups', 'members.value eq "77"')),
  scim(`a group of ${many}, read`, () => filtered(`/Groups/${group}`, '')),
];
