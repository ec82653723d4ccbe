import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { makeSignInLink } from '#features/sign-in';
import { findUser, findUserByEmail, setUser } from '#features/users';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databasesInTurn } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, type Lies, signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const SESSION = 'roost-session';
const PAD = 'ab'.repeat(32);
const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };

describe.each(databasesInTurn(import.meta.url))('signing in at a provider, on %s', (database) => {
  let world: World;
  let idp: IdentityProvider;
  beforeEach(async () => {
    idp = await IdentityProvider.open();
    const known = { client_id: CLIENT.id, client_secret: CLIENT.secret };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          {
            ...known,
            kind: 'openid',
            id: 'acme',
            name: 'Acme',
            icon: 'https://acme.example/icon.png',
            issuer: idp.url,
            roles: { administrator: ['admins'], guest: ['visitors'] },
          },
          { ...known, kind: 'github', id: 'hub', name: 'GitHub', url: idp.url },
          { ...known, kind: 'openid', id: 'other', name: 'Other', issuer: idp.url, organizations: ['elsewhere'] },
          { ...known, kind: 'openid', id: 'closed', name: 'Closed', issuer: idp.url, sign_up: false },
        ],
      }),
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await world.close();
    await idp.close();
  });

  async function signIn(visitor = new Visitor(world.server), begin = BEGIN) {
    const begun = await visitor.get(begin);
    if (begun.location === undefined) return begun;
    return visitor.get(idp.authorize(begun.location));
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status === 200;
  const open = () => world.olive.patch('/realm', { invite_required: false });
  const emails = async () =>
    (await world.olive.get('/users')).members.map(({ delivery_email }: { delivery_email: string }) => delivery_email);
  const asMember = () => ({ sub: 'max-at-acme', name: 'Maximilian', email: 'MEMBER@roost.test', email_verified: true });

  it('makes no account under an address that nobody has confirmed, by a link either (protocol/invitations#joining)', async () => {
    const { invite_link } = await world.olive.post('/invites/multiuse');
    const page = await new Visitor(world.server).get(new URL(invite_link).pathname);
    expect(page.text).toContain('name="email"');
    expect(page.text).not.toContain('name="password"');
  });

  it('lets the owner of a verified address in, and knows them afterwards by who they are there', async () => {
    idp.person = asMember();
    const visitor = new Visitor(world.server);
    expect(await signIn(visitor, `${BEGIN}?next=/api/`)).toMatchObject({ status: 303, location: '/api/' });
    expect((await visitor.get('/')).text).toContain(world.max.email);
    // The address there changes, and is even somebody else's here.
    idp.person = { ...asMember(), email: world.mia.email };
    const later = new Visitor(world.server);
    await signIn(later);
    expect((await later.get('/')).text).toContain(world.max.email);
    expect((await emails()).length).toBe(6);
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['is said to be verified by no word of the provider', { email_verified: undefined }],
    ['is verified by a number', { email_verified: 1 }],
    ['is missing', { email: undefined }],
    ['is no address', { email: 'member' }],
  ])('joins no account by an address that %s', async (_what, claims) => {
    await open();
    idp.person = { ...asMember(), ...claims };
    const visitor = new Visitor(world.server);
    expect((await signIn(visitor)).status).toBe(403);
    expect(await isIn(visitor)).toBe(false);
    // The ground: with the provider's word it does.
    idp.person = asMember();
    await signIn(visitor);
    expect(await isIn(visitor)).toBe(true);
  });

  it('takes the word on an address from where the address is from: the ID token or UserInfo', async () => {
    await open();
    // UserInfo names an address, and the token's flag is about none.
    idp.lies.claims = ({ email: _email, ...claims }) => ({ ...claims, email_verified: true });
    idp.person = { ...asMember(), email_verified: false };
    const visitor = new Visitor(world.server);
    expect((await signIn(visitor)).status).toBe(403);
    expect(await isIn(visitor)).toBe(false);
    idp.lies.claims = ({ email: _email, ...claims }) => ({ ...claims, email_verified: false });
    idp.person = asMember();
    await signIn(visitor);
    expect(await isIn(visitor)).toBe(true);
  });

  it('makes an account by the rules of the organization: by invitation, open, by domain', async () => {
    expect((await signIn()).text).toContain('You need an invitation');
    await world.adam.post('/invites', { invitee_emails: 'nora@acme.example', invite_as: 300, stream_ids: [] });
    const visitor = new Visitor(world.server);
    expect((await signIn(visitor)).location).toBe('/');
    expect(await isIn(visitor)).toBe(true);
    const { members } = await world.olive.get('/users');
    const nora = members.find(({ full_name }: { full_name: string }) => full_name === 'Nora Newcomer');
    expect(nora).toMatchObject({ delivery_email: 'nora@acme.example', role: 300 });
    expect((await world.adam.get('/invites')).invites).toEqual([]);
    await open();
    await world.olive.post('/realm/domains', { domain: 'roost.test', allow_subdomains: false });
    await world.olive.patch('/realm', { emails_restricted_to_domains: true });
    idp.person = { sub: 'u-2', name: 'Olga', email: 'olga@acme.example', email_verified: true };
    expect((await signIn()).text).toContain('Outside your domain.');
    idp.person = { ...idp.person, email: 'olga@roost.test' };
    expect((await signIn()).location).toBe('/');
  });

  it('gives nobody an expired invitation for an administrator (security#holes, row 11)', async () => {
    await world.olive.post('/invites', {
      invitee_emails: 'nora@acme.example',
      invite_as: 200,
      stream_ids: [],
      invite_expires_in_minutes: 10,
    });
    world.clock.advance(601_000);
    await open();
    await signIn();
    const { members } = await world.olive.get('/users');
    expect(members.find(({ full_name }: { full_name: string }) => full_name === 'Nora Newcomer').role).toBe(400);
  });

  it.each([BEGIN, '/accounts/login/social/hub/'])(
    'keeps the tokens of a provider from browsers, and no access to it at all: %s (security#asvs, 10.1.1)',
    async (begin) => {
      const main = { email: 'member@roost.test', primary: true, verified: true };
      idp.person = { ...asMember(), id: 77, login: 'maxi', emails: [main] };
      const visitor = new Visitor(world.server);
      const shown = [await visitor.get(begin), await signIn(visitor, begin), await visitor.get('/')];
      expect(await isIn(visitor)).toBe(true);
      expect(idp.given.length).toBeGreaterThanOrEqual(2);
      const [sessions, identities] = await world.server.context.store.read(async (tx) => [
        await tx.db.selectFrom('session').selectAll().where('realm_id', '=', world.realm.id).execute(),
        await tx.db.selectFrom('external_identity').selectAll().where('realm_id', '=', world.realm.id).execute(),
      ]);
      expect(identities).toHaveLength(1);
      // What is kept to log out there is sealed.
      const all = JSON.stringify([shown, [...visitor.cookies], sessions, identities]);
      for (const token of idp.given) expect(all).not.toContain(token);
    },
  );

  it('makes one account of two arrivals of one newcomer at once', async () => {
    await open();
    const visitors = [new Visitor(world.server), new Visitor(world.server)];
    const done = await Promise.all(visitors.map((visitor) => signIn(visitor)));
    expect(done.map(({ status }) => status)).toEqual([303, 303]);
    expect((await emails()).filter((email: string) => email === 'nora@acme.example')).toHaveLength(1);
  });

  it('makes no account where the operator lets only known people in', async () => {
    await open();
    expect((await signIn(new Visitor(world.server), '/accounts/login/social/closed/')).text).toContain(
      'You have no account here yet.',
    );
    expect(await emails()).not.toContain('nora@acme.example');
  });

  it('gives the role that groups say, and never touches owners', async () => {
    idp.person = { ...asMember(), groups: ['staff', 'admins', 'visitors'] };
    await signIn();
    const roleOf = async (id: number) => (await world.olive.get(`/users/${id}`)).user.role;
    expect(await roleOf(world.max.userId)).toBe(200);
    idp.person = { ...asMember(), groups: ['visitors'] };
    await signIn();
    expect(await roleOf(world.max.userId)).toBe(600);
    idp.person = { sub: 'o', email: world.olive.email, email_verified: true, groups: ['visitors'] };
    await signIn();
    expect(await roleOf(world.olive.userId)).toBe(100);
  });

  it('lets nobody in whose account has ended (security#holes, row 13)', async () => {
    idp.person = asMember();
    await signIn();
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId<UserId>(world.max.userId), { is_active: false }));
    const visitor = new Visitor(world.server);
    expect((await signIn(visitor)).text).toContain('Account is deactivated');
    expect(await isIn(visitor)).toBe(false);
  });

  it('lets nobody in, and makes no account, while the organization is deactivated', async () => {
    await open();
    await world.olive.post('/realm/deactivate');
    for (const [begin, person] of [
      [BEGIN, asMember()],
      [`${BEGIN}?mobile_flow_otp=${PAD}`, asMember()],
      [BEGIN, { sub: 'quinn', name: 'Quinn', email: 'quinn@roost.test', email_verified: true }],
    ] as const) {
      idp.person = person;
      const visitor = new Visitor(world.server);
      const answered = await signIn(visitor, begin);
      expect([answered.status, visitor.cookies.has(SESSION)]).toEqual([401, false]);
      expect(answered.text).toContain('This organization has been deactivated');
    }
    const { store } = world.server.context;
    const [link, user] = await store.in(world.realm).write(async (tx) => {
      const max = await findUser(tx, asId<UserId>(world.max.userId));
      return [
        max && (await makeSignInLink(world.server.context, tx, max)),
        await findUserByEmail(tx, 'quinn@roost.test'),
      ];
    });
    expect(user).toBe(undefined);
    const byLink = new Visitor(world.server);
    const { pathname } = new URL(link ?? '');
    await byLink.get(pathname);
    await byLink.post(pathname, {});
    expect(byLink.cookies.has(SESSION)).toBe(false);
  });

  it('hands the API key to the phone app that opened the browser (protocol/authentication#web-sign-in)', async () => {
    idp.person = asMember();
    const visitor = new Visitor(world.server);
    const { location } = await signIn(visitor, `${BEGIN}?mobile_flow_otp=${PAD}`);
    const { protocol, host, searchParams } = new URL(location ?? '');
    expect(`${protocol}//${host}`).toBe('zulip://login');
    const bytes = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex').map((byte) => byte ^ 0xab);
    expect(Buffer.from(bytes).toString()).toBe(world.max.apiKey);
    expect(visitor.cookies.has(SESSION)).toBe(false);
    expect((await visitor.get(`${BEGIN}?mobile_flow_otp=${PAD}ff`)).status).toBe(400);
  });

  it('is a button, and an external method of clients; what is off or for others is neither', async () => {
    const settings = await world.spectator.get('/server_settings');
    expect(settings['authentication_methods']).toMatchObject({ 'openid connect': true, github: true, password: true });
    expect(settings['external_authentication_methods']).toEqual([
      {
        name: 'oidc:acme',
        display_name: 'Acme',
        display_icon: 'https://acme.example/icon.png',
        login_url: `http://localhost:9991${BEGIN}`,
        signup_url: `http://localhost:9991${BEGIN}`,
      },
      expect.objectContaining({ name: 'github:hub', display_icon: null }),
      expect.objectContaining({ name: 'oidc:closed' }),
      expect.objectContaining({ name: 'browser', login_url: 'http://localhost:9991/login/' }),
    ]);
    const page = await new Visitor(world.server).get(`/login/?mobile_flow_otp=${PAD}&next=/x`);
    expect(page.text).toContain(`href="${BEGIN}?next=%2Fx&amp;mobile_flow_otp=${PAD}">Continue with Acme`);
    expect((await new Visitor(world.server).get('/accounts/login/social/other/')).status).toBe(404);
    const queue = await world.max.register();
    await world.olive.patch('/realm', { authentication_methods: { Email: true, 'OpenID Connect': false } });
    expect(await queue.events()).toMatchObject([
      {
        op: 'update_dict',
        data: {
          authentication_methods: {
            Email: { enabled: true, available: true },
            'OpenID Connect': { enabled: false, available: true },
            GitHub: { enabled: true, available: true },
          },
        },
      },
    ]);
    expect((await new Visitor(world.server).get(BEGIN)).status).toBe(404);
    const { external_authentication_methods: left } = await world.spectator.get('/server_settings');
    expect(left.map(({ name }: { name: string }) => name)).toEqual(['github:hub', 'browser']);
  });

  it('locks no owner out: the password goes only when one of them is connected (protocol/authentication#methods)', async () => {
    const onlyAcme = { authentication_methods: { Email: false, 'OpenID Connect': true, GitHub: false } };
    const refused = await world.olive.request('PATCH', '/realm', onlyAcme);
    expect(refused).toMatchObject({ status: 400, body: { msg: expect.stringContaining('No owner could log in') } });
    idp.person = { sub: 'o', email: world.olive.email, email_verified: true };
    await signIn();
    await world.olive.patch('/realm', onlyAcme);
    const page = await new Visitor(world.server).get('/login/');
    expect(page.text).not.toContain('type="password"');
    expect(page.text).toContain('Continue with Acme');
  });

  it('opens to who has a link of the command line, once, whatever is on', async () => {
    const { context } = world.server;
    const user = await context.store.in(world.realm).read((tx) => findUser(tx, asId<UserId>(world.max.userId)));
    if (!user) throw new Error('there is no Max');
    const link = await context.store.in(world.realm).write((tx) => makeSignInLink(context, tx, user));
    const { pathname } = new URL(link);
    const visitors = [new Visitor(world.server), new Visitor(world.server)] as const;
    for (const visitor of visitors) expect((await visitor.get(pathname)).status).toBe(200);
    const done = await Promise.all(visitors.map((visitor) => visitor.post(pathname, {})));
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    const late = new URL(await context.store.in(world.realm).write((tx) => makeSignInLink(context, tx, user))).pathname;
    world.clock.advance(901_000);
    expect((await new Visitor(world.server).get(late)).status).toBe(404);
  });

  describe('an answer that is not for this browser', () => {
    it('is refused: without the attempt, with another state, after ten minutes, and twice', async () => {
      idp.person = asMember();
      idp.lies = { codesWorkAgain: true };
      const visitor = new Visitor(world.server);
      const answer = idp.authorize((await visitor.get(BEGIN)).location);
      const attacked = new Visitor(world.server);
      expect((await attacked.get(answer)).status).toBe(400);
      await attacked.get(BEGIN);
      expect((await attacked.get(answer)).status).toBe(403);
      expect(await isIn(attacked)).toBe(false);
      const attempt = visitor.cookies.get('roost-attempt') ?? '';
      const again = new Visitor(world.server);
      expect((await visitor.get(answer)).status).toBe(303);
      // Even with the cookie, and a provider that takes codes twice.
      again.cookies.set('roost-attempt', attempt);
      expect((await again.get(answer)).status).toBe(400);
      expect(await isIn(again)).toBe(false);
      const late = new Visitor(world.server);
      const lateAnswer = idp.authorize((await late.get(BEGIN)).location);
      world.clock.advance(601_000);
      expect((await late.get(lateAnswer)).status).toBe(400);
    });

    it('is refused where only the state is another: code, nonce and verifier are its own', async () => {
      idp.person = asMember();
      const visitor = new Visitor(world.server);
      const answer = new URL(idp.authorize((await visitor.get(BEGIN)).location), 'http://localhost:9991');
      answer.searchParams.set('state', 'somebody-elses');
      expect((await visitor.get(`${answer.pathname}${answer.search}`)).status).toBe(403);
      expect(await isIn(visitor)).toBe(false);
      const honest = new Visitor(world.server);
      expect((await honest.get(idp.authorize((await honest.get(BEGIN)).location))).status).toBe(303);
    });

    it('is refused at another provider, and with a changed cookie', async () => {
      idp.person = asMember();
      const visitor = new Visitor(world.server);
      const answer = idp.authorize((await visitor.get(BEGIN)).location);
      expect((await visitor.get(answer.replace('/acme/', '/closed/'))).status).toBe(400);
      const cookie = visitor.cookies.get('roost-attempt') ?? '';
      visitor.cookies.set('roost-attempt', `${cookie.slice(0, -4)}AAAA`);
      expect((await visitor.get(answer)).status).toBe(400);
    });
  });

  describe('a provider that lies', () => {
    const other = 'https://other.example';
    const now = () => Math.floor(Date.now() / 1000);
    const cases: [string, () => Lies][] = [
      ['of its name in its description', () => ({ discovery: (document) => ({ ...document, issuer: other }) })],
      ['of its name in the token', () => ({ claims: (claims) => ({ ...claims, iss: other }) })],
      ['with a token for somebody else', () => ({ claims: (claims) => ({ ...claims, aud: 'another' }) })],
      [
        'with a token for two, of which the other is meant',
        () => ({ claims: (claims) => ({ ...claims, aud: [CLIENT.id, 'another'], azp: 'another' }) }),
      ],
      ['with a nonce of another attempt', () => ({ claims: (claims) => ({ ...claims, nonce: 'x' }) })],
      ['without a nonce', () => ({ claims: ({ nonce: _nonce, ...claims }) => claims })],
      ['without a subject', () => ({ claims: ({ sub: _sub, ...claims }) => claims })],
      ['with a subject that is too long', () => ({ claims: (claims) => ({ ...claims, sub: 'x'.repeat(256) }) })],
      ['with a token that is over', () => ({ claims: (claims) => ({ ...claims, exp: now() - 31 }) })],
      ['with a token of tomorrow', () => ({ claims: (claims) => ({ ...claims, nbf: now() + 3600 }) })],
      [
        'without a signature',
        () => ({
          header: (header) => ({ ...header, alg: 'none' }),
          token: (token) => token.replace(/[^.]*$/, ''),
        }),
      ],
      ['with the signature of something else', () => ({ token: (token) => token.replace(/\.[^.]*$/, '.AAAA') })],
      ['with a key that nobody knows', () => ({ header: (header) => ({ ...header, kid: 'nobody' }) })],
      ['with a secret as key', () => ({ header: (header) => ({ ...header, alg: 'HS256' }) })],
      ['with a token that is none', () => ({ token: () => 'x' })],
      [
        'with another person behind it',
        () => ({
          claims: ({ email: _email, ...claims }) => ({ ...claims, sub: 'another' }),
        }),
      ],
      ['with a gigabyte', () => ({ answer: flood('/token') })],
      ['with a gigabyte of description', () => ({ answer: flood('/.well-known/openid-configuration') })],
      ['with a page', () => ({ answer: page('/token') })],
      ['with a way to somewhere else', () => ({ answer: away('/token') })],
    ];
    it.each(cases)('%s lets nobody in, and says so on one page', async (_what, lies) => {
      await open();
      idp.person = asMember();
      idp.lies = lies();
      const visitor = new Visitor(world.server);
      const { status, text } = await signIn(visitor);
      expect([502, 403]).toContain(status);
      expect(text).toContain('Not logged in');
      expect(await isIn(visitor)).toBe(false);
      expect((await emails()).length).toBe(6);
      const { entries } = await world.olive.get('/realm/audit_log', { action: 'session.refused' });
      expect(entries).toMatchObject([{ actor: { kind: 'nobody' }, after: { reason: 'provider', provider: 'acme' } }]);
    });

    it('is let in again once it tells the truth', async () => {
      idp.person = asMember();
      idp.lies = { discovery: (document) => ({ ...document, issuer: other }) };
      expect((await signIn()).status).toBe(502);
      idp.lies = {};
      world.clock.advance(6_000);
      expect((await signIn()).status).toBe(303);
    });

    it('may be half a minute off, and change its keys', async () => {
      idp.person = asMember();
      idp.lies = { claims: (claims) => ({ ...claims, exp: now() - 20 }) };
      expect((await signIn()).status).toBe(303);
      idp.lies = {};
      idp.rotate();
      // The library asks for keys again once those it has are a minute old.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      expect((await signIn()).status).toBe(303);
    });

    it('that is down is asked once for all who come, and not again for five seconds', async () => {
      idp.lies = {
        answer: (_path, response) => {
          response.destroy();
          return true;
        },
      };
      const all = await Promise.all(Array.from({ length: 40 }, () => new Visitor(world.server).get(BEGIN)));
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]));
      await new Visitor(world.server).get(BEGIN);
      expect(idp.requests).toHaveLength(1);
    });

    it('that hangs keeps nobody else waiting: an end after eight seconds, and no more than fifty wait for it', async () => {
      idp.person = asMember();
      const held: { destroy(): unknown }[] = [];
      const visitors = Array.from({ length: 51 }, () => new Visitor(world.server));
      const answers: string[] = [];
      for (const visitor of visitors) answers.push(idp.authorize((await visitor.get(BEGIN)).location));
      idp.lies = { answer: (path, response) => path === '/token' && held.push(response) > 0 };
      const [first, ...rest] = visitors.map((visitor, at) => visitor.get(answers[at] ?? ''));
      await expect.poll(() => held.length).toBe(50);
      // People with a key or a password can still get in.
      expect(await world.mia.get('/users/me')).toMatchObject({ user_id: world.mia.userId });
      const other = new Visitor(world.server);
      await other.get('/login/');
      expect((await other.post('/login/', OWNER)).status).toBe(303);
      expect(await Promise.race([first, Promise.resolve('waits')])).toBe('waits');
      world.clock.advance(8_001);
      const all = await Promise.all([first, ...rest]);
      expect(new Set(all.map((shown) => shown?.status))).toEqual(new Set([503]));
      for (const response of held) response.destroy();
      idp.lies = {};
      expect((await signIn()).status).toBe(303);
    });

    it('that says no is shown as that', async () => {
      const visitor = new Visitor(world.server);
      const { location } = await visitor.get(BEGIN);
      const state = new URL(location ?? '').searchParams.get('state') ?? '';
      const answer = `/complete/acme/?error=access_denied&error_description=%3Cscript%3E&state=${state}`;
      const { status, text } = await visitor.get(answer);
      expect(status).toBe(403);
      expect(text).toContain('Acme did not let you in.');
      expect(text).not.toContain('script');
    });
  });

  it('signs in by GitHub, by the number of the account and its verified main address', async () => {
    const begin = '/accounts/login/social/hub/';
    const main = { email: 'member@roost.test', primary: true, verified: true };
    idp.person = { id: 77, login: 'maxi', name: null, emails: [{ ...main, verified: false }] };
    expect((await signIn(new Visitor(world.server), begin)).status).toBe(403);
    idp.person = {
      ...idp.person,
      emails: [
        { ...main, primary: false },
        { ...main, email: 'x@acme.example' },
      ],
    };
    expect((await signIn(new Visitor(world.server), begin)).text).toContain('You need an invitation');
    idp.person = { ...idp.person, emails: [main] };
    const visitor = new Visitor(world.server);
    expect((await signIn(visitor, begin)).status).toBe(303);
    expect((await visitor.get('/')).text).toContain(world.max.email);
    // Somebody else who took the name over.
    idp.person = { id: 78, login: 'maxi', name: null, emails: [] };
    expect((await signIn(new Visitor(world.server), begin)).status).toBe(403);
  });

  describe('an account that its owner connects', () => {
    const PAGE = '/accounts/connections/';
    async function owner() {
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      await visitor.post('/login/', OWNER);
      return visitor;
    }
    const linkIn = (text: string) => (/href="(http[^"]+)">Go to Acme/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

    it('opens with it from then on, whatever its address there, until it is disconnected', async () => {
      const visitor = await owner();
      await visitor.get(PAGE);
      const { text } = await visitor.post(PAGE, { connect: 'acme' });
      idp.person = { sub: 'private', email: 'olive@home.example', email_verified: false };
      expect((await visitor.get(idp.authorize(linkIn(text)))).location).toBe(`${PAGE}?connected`);
      const elsewhere = new Visitor(world.server);
      await signIn(elsewhere);
      expect((await elsewhere.get('/')).text).toContain(OWNER.username);
      const page = await visitor.get(PAGE);
      const [, id = ''] = /name="disconnect" value="(\d+)"/.exec(page.text) ?? [];
      expect((await visitor.post(PAGE, { disconnect: id })).status).toBe(303);
      expect((await signIn()).status).toBe(403);
    });

    it('is connected by a form of ours only, in the browser that sent it, and by nobody else', async () => {
      expect((await new Visitor(world.server).get(PAGE)).location).toMatch(/^\/login\//);
      const visitor = await owner();
      await visitor.get(PAGE);
      expect((await visitor.post(PAGE, { connect: 'acme', csrfmiddlewaretoken: 'x' })).status).toBe(403);
      await visitor.get(PAGE);
      const { text } = await visitor.post(PAGE, { connect: 'acme' });
      visitor.cookies.delete(SESSION);
      idp.person = { sub: 'attacker', email: 'a@acme.example', email_verified: true };
      expect((await visitor.get(idp.authorize(linkIn(text)))).status).toBe(403);
      expect((await signIn()).status).toBe(403);
    });

    it('is not connected to somebody who has another account here', async () => {
      idp.person = asMember();
      await signIn();
      const visitor = await owner();
      await visitor.get(PAGE);
      const { text } = await visitor.post(PAGE, { connect: 'acme' });
      expect((await visitor.get(idp.authorize(linkIn(text)))).text).toContain('connected to another account');
    });
  });
});

/** Answers at one path with more than anybody wants. */
function flood(at: string): NonNullable<Lies['answer']> {
  return (path, response) => {
    if (path !== at) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
    return true;
  };
}

function page(at: string): NonNullable<Lies['answer']> {
  return (path, response) => {
    if (path === at) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>');
    return path === at;
  };
}

function away(at: string): NonNullable<Lies['answer']> {
  return (path, response) => {
    if (path === at) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    return path === at;
  };
}
