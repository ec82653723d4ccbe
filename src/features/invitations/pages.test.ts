import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import { findUserByEmail } from '#features/users';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { leastStatements } from '../../../test/support/statements.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const NINA = { full_name: 'Nina New', password: 'wide open sky' };

describe.each(databases)('pages to join on %s', (database) => {
  let world: World;
  let visitor: Visitor;
  beforeEach(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
    visitor = new Visitor(world.server);
  });
  afterEach(() => world.close());

  const title = ({ text }: { text: string }) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
  async function keysInMails(): Promise<readonly string[]> {
    await world.server.context.jobs.idle();
    // Each mail says it as text and as HTML.
    return writtenMails(world.dataDir).flatMap((mail) => /do_confirm\/([a-z2-7]{24})/.exec(mail)?.[1] ?? []);
  }
  async function linkPath(parameters: object = {}): Promise<string> {
    const { invite_link } = await world.olive.post('/invites/multiuse', { ...parameters });
    return new URL(invite_link).pathname;
  }

  it('take an address by a reusable link, confirm it, and give the role of the link (protocol/invitations#joining)', async () => {
    const path = await linkPath({ invite_as: 600 });
    for (const email of ['a@roost.test', 'b@roost.test']) {
      const page = await visitor.get(path);
      expect(title(page)).toBe('Join Roost Test');
      expect(page.text).toContain('Olive Owner invited you.');
      expect(title(await visitor.post(path, { email }))).toBe('Check your email');
    }
    const keys = await keysInMails();
    expect(keys).toHaveLength(2);
    const [key = ''] = keys;
    await visitor.get(`/accounts/do_confirm/${key}`);
    expect(await visitor.post('/accounts/register', { key, from_confirmation: '1' })).toMatchObject({ status: 200 });
    expect(await visitor.post('/accounts/register', { key, ...NINA })).toMatchObject({ status: 303, location: '/' });
    expect((await visitor.get('/')).text).toContain('Hello, Nina New');
    const { members } = await world.olive.get('/users');
    expect(members.at(-1)).toMatchObject({ delivery_email: expect.stringMatching(/^[ab]@roost\.test$/), role: 600 });
    await world.olive.delete(`/invites/multiuse/${(await world.olive.get('/invites'))['invites'][0].id}`);
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.get(`/accounts/do_confirm/${keys[1]}`)).status).toBe(404);
  });

  it('make one account and lead on when the form is sent twice at once, or again because no answer came', async () => {
    await world.max.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const [key = ''] = await keysInMails();
    const other = new Visitor(world.server);
    for (const one of [visitor, other]) await one.get(`/accounts/do_confirm/${key}`);
    const send = () => visitor.post('/accounts/register', { key, ...NINA });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [303, '/'],
      [303, '/'],
      [303, '/'],
    ]);
    expect((await visitor.get('/')).text).toContain('Hello, Nina New');
    const { members } = await world.olive.get('/users');
    const same = (members as { full_name: string }[]).filter(({ full_name }) => full_name === 'Nina New');
    expect(same).toHaveLength(1);
    const mistyped = await visitor.post('/accounts/register', { key, ...NINA, password: 'another wide sky' });
    expect(mistyped.status).toBe(404);
    const refused = await other.post('/accounts/register', { key, ...NINA });
    expect(refused.status).toBe(404);
    expect(title(refused)).toBe('This account already exists');
    expect((await other.get('/')).location).toBe('/login/');
    world.clock.advance(600_000);
    expect((await send()).status).toBe(404);
  });

  it('tell three kinds of bad keys apart (protocol/invitations#joining, bad key)', async () => {
    expect(title(await visitor.get('/join/short/'))).toBe('This link is malformed');
    expect(title(await visitor.get(`/join/${'a'.repeat(24)}/`))).toBe('This link does not exist');
    const path = await linkPath({ invite_expires_in_minutes: 1 });
    expect((await visitor.get(path)).status).toBe(200);
    world.clock.advance(60_000);
    expect(await visitor.get(path)).toMatchObject({ status: 404 });
    expect(title(await visitor.get(path))).toBe('This link is no longer valid');
    expect(title(await visitor.get(`/accounts/do_confirm/${'a'.repeat(24)}`))).toBe('This link does not exist');
  });

  it('open nothing in another organization (security#holes, row 9)', async () => {
    const path = await linkPath();
    await visitor.get(path);
    const response = await world.server.listener.inject({
      method: 'GET',
      url: path,
      headers: { host: 'other.localhost' },
    });
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('There is no organization at this address.');
  });

  it('mail nobody who has an account, and do not say so (security#asvs, 6.3.8)', async () => {
    const path = await linkPath();
    await visitor.get(path);
    const known = await visitor.post(path, { email: 'member@roost.test' });
    const fresh = await visitor.post(path, { email: 'fresh1@roost.test' });
    expect(known.text.replace('member@', '')).toBe(fresh.text.replace('fresh1@', ''));
    expect(await keysInMails()).toHaveLength(1);
  });

  it('do as much for an address that has an account as for one that has none (security#asvs, 6.3.8)', async () => {
    await world.server.context.jobs.stop();
    const { store } = world.server.context;
    const path = await linkPath();
    await visitor.get(path);
    const waiting = async () =>
      (await store.query((tx) => tx.db.selectFrom('job').select('kind').execute())).map(({ kind }) => kind);
    const done = async (email: string) => {
      const before = (await waiting()).length;
      const ask = async () => expect(title(await visitor.post(path, { email }))).toBe('Check your email');
      const statements = await leastStatements(world, ask);
      return { statements, left: (await waiting()).slice(before) };
    };
    const known = await done('member@roost.test');
    expect(known.left).toHaveLength(3);
    expect(await done('fresh1@roost.test')).toEqual(known);
  });

  it.each([
    [{ full_name: 'N' }, 'Name too short!'],
    [{ full_name: 'N'.repeat(101) }, 'Name too long!'],
    [{ full_name: 'Nina @ home' }, 'Invalid characters in name!'],
    [{ full_name: 'Nina|15' }, 'Invalid format!'],
    [{ password: 'short' }, 'The password needs at least 8 characters.'],
    [{ password: 'x'.repeat(101) }, 'The password has more than 100 characters.'],
    [{ password: 'Password1' }, 'The password is too weak.'],
    [{ password: 'nina@roost.test' }, 'The password is too weak.'],
  ])('refuse %j and keep the invitation (protocol/invitations#joining)', async (wrong, fault) => {
    await world.max.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const [key = ''] = await keysInMails();
    await visitor.get(`/accounts/do_confirm/${key}`);
    const refused = await visitor.post('/accounts/register', { key, ...NINA, ...wrong });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`role="alert">${fault}<`);
    expect((await visitor.post('/accounts/register', { key, ...NINA })).status).toBe(303);
  });

  it('let everybody in where no invitation is needed, and nobody elsewhere', async () => {
    expect((await visitor.get('/register/')).status).toBe(403);
    expect((await visitor.post('/register/', { email: 'n@roost.test' })).status).toBe(403);
    await world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, { invite_required: false }));
    expect((await visitor.get(`/join/${'a'.repeat(24)}/`)).status).toBe(200);
    await visitor.get('/register/');
    await visitor.post('/register/', { email: 'n@roost.test' });
    const [key = ''] = await keysInMails();
    await visitor.get(`/accounts/do_confirm/${key}`);
    expect((await visitor.post('/accounts/register', { key, ...NINA })).status).toBe(303);
  });

  it('let nobody in by an address confirmed before the organization began to need invitations', async () => {
    await world.olive.patch('/realm', { invite_required: false });
    await visitor.get('/register/');
    await visitor.post('/register/', { email: 'n@roost.test' });
    const [key = ''] = await keysInMails();
    expect((await visitor.get(`/accounts/do_confirm/${key}`)).status).toBe(200);
    await world.olive.patch('/realm', { invite_required: true });
    expect((await visitor.post('/accounts/register', { key, ...NINA })).status).toBe(404);
  });

  it('make no account in a deactivated organization', async () => {
    await world.max.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const [key = ''] = await keysInMails();
    await visitor.get(`/accounts/do_confirm/${key}`);
    await world.olive.post('/realm/deactivate');
    const refused = await visitor.post('/accounts/register', { key, ...NINA });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('This organization has been deactivated');
    expect(await world.server.context.store.in(world.realm).query((tx) => findUserByEmail(tx, 'nina@roost.test'))).toBe(
      undefined,
    );
  });
});

/** What vouches for the addresses of an organization's people. */
const VOUCHING = {
  'a provider': {
    providers: [{ kind: 'openid', id: 'idp', name: 'IdP', issuer: 'https://idp.example', client_id: 'roost' }],
  },
  'a proxy': { proxy: { header: 'X-Remote-User' } },
  'signed tokens': { jwt: { '': { algorithm: 'HS256', key: 'a key of the organization, long enough' } } },
  'a directory': { ldap: { '': { url: 'ldap://127.0.0.1:9', base: 'dc=rookery,dc=example' } } },
} as const;

describe('a reusable link, where this server sends no mail (protocol/invitations#joining)', () => {
  const OWNED = { ...NINA, email: 'boss@roost.test' };
  async function join(content: object) {
    const [database = 'sqlite'] = databases;
    const world = await openWorld(database, { mode: 'production', environment: signInFile(content) });
    const { invite_link } = await world.olive.post('/invites/multiuse');
    const { pathname } = new URL(invite_link);
    const visitor = new Visitor(world.server);
    await visitor.get(pathname);
    const { status, text } = await visitor.post(pathname, OWNED);
    const { members } = await world.olive.get('/users');
    await world.close();
    const isIn = members.some((member: { delivery_email: string }) => member.delivery_email === OWNED.email);
    return { status, isIn, asksMail: text.includes('Check your email') };
  }

  it('believes the address that somebody types', async () => {
    expect(await join({})).toEqual({ status: 303, isIn: true, asksMail: false });
    const elsewhere = { ldap: { another: VOUCHING['a directory'].ldap[''] } };
    expect(await join(elsewhere)).toEqual({ status: 303, isIn: true, asksMail: false });
  });

  it.each(Object.entries(VOUCHING))(
    'does not where %s would lead its owner into the account (security#asvs, 6.8.1)',
    async (_who, content) => {
      expect(await join(content)).toEqual({ status: 200, isIn: false, asksMail: true });
    },
  );
});
