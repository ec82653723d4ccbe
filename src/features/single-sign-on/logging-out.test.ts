import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const BACKCHANNEL = '/accounts/logout/backchannel/acme';
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const GONE = Symbol('left out');

describe.each(databases)('logging out at a provider and by it, on %s', (database) => {
  let world: World;
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    idp.lies.discovery = (document) => ({ ...document, end_session_endpoint: `${idp.url}/bye` });
    const provider = { kind: 'openid', id: 'acme', name: 'Acme', issuer: idp.url };
    const known = { client_id: CLIENT.id, client_secret: CLIENT.secret };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...provider, ...known, groups: { gardeners: ['garden', 'orchard'], nobody: ['garden'] } },
          { ...provider, ...known, id: 'other' },
        ],
      }),
    });
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
  });
  beforeEach(() => {
    idp.person = { sub: 'max-at-acme', sid: 'session-1', email: world.max.email, email_verified: true };
  });

  async function logIn(begin = BEGIN, visitor = new Visitor(world.server)): Promise<Visitor> {
    const begun = await visitor.get(begin);
    expect((await visitor.get(idp.authorize(begun.location))).status).toBe(303);
    return visitor;
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).text.includes(world.max.email);

  let names = 0;
  /** A logout token as the specification wants it, but for `claims`. */
  function token(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): string {
    const now = world.clock.now();
    const whole = { iss: idp.url, aud: CLIENT.id, iat: now, exp: now + 120, jti: `t-${++names}`, events: EVENTS };
    const said: Record<string, unknown> = { ...whole, sub: 'max-at-acme', sid: 'session-1', ...claims };
    return idp.sign(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== GONE)), {
      typ: 'logout+jwt',
      ...header,
    });
  }
  const tell = async (logout_token: string, path = BACKCHANNEL) => {
    const payload = new URLSearchParams({ logout_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await world.server.listener.inject({ method: 'POST', url: path, headers, payload });
    expect(answer.headers['cache-control']).toBe('no-store');
    return answer.statusCode;
  };

  it('shows the way to log out there, with the token of the log-in, and is logged out here whatever follows', async () => {
    const visitor = await logIn();
    await visitor.get('/logout/');
    const page = await visitor.post('/logout/', {});
    const href = /href="([^"]*\/bye\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const asked = new URL(href).searchParams;
    expect(asked.get('post_logout_redirect_uri')).toBe('http://localhost:9991/login/');
    expect(asked.get('client_id')).toBe(CLIENT.id);
    const [, claims = ''] = (asked.get('id_token_hint') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'max-at-acme' });
    expect(await isIn(visitor)).toBe(false);
    // Who came by the password is only logged out here.
    const other = new Visitor(world.server);
    await other.get('/login/');
    await other.post('/login/', { username: world.olive.email, password: 'roost-demo-password' });
    await other.get('/logout/');
    expect(await other.post('/logout/', {})).toMatchObject({ status: 303, location: '/login/' });
  });

  it('ends the session that the provider names, and its event queues, and no other', async () => {
    const first = await logIn();
    idp.person = { ...idp.person, sid: 'session-2' };
    const second = await logIn();
    const queue = await world.max.register();
    expect(await tell(token())).toBe(200);
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    // Nobody's session is no fault.
    expect(await tell(token())).toBe(200);
  });

  it('ends all sessions of a person that began by the provider, where it names no session', async () => {
    const first = await logIn();
    const byOther = await logIn('/accounts/login/social/other/');
    expect(await tell(token({ sid: GONE }))).toBe(200);
    expect([await isIn(first), await isIn(byOther)]).toEqual([false, true]);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['of another issuer', () => token({ iss: 'https://elsewhere.example' })],
    ['for another client', () => token({ aud: 'another' })],
    ['that is over', () => token({ exp: world.clock.now() - 31 })],
    ['from long ago', () => token({ iat: world.clock.now() - 601 })],
    ['from the future', () => token({ iat: world.clock.now() + 601 })],
    ['without a time', () => token({ iat: GONE })],
    ['without a name', () => token({ jti: GONE })],
    ['about nobody', () => token({ sub: GONE, sid: GONE })],
    ['with a nonce, as an ID token has', () => token({ nonce: 'n' })],
    ['without events', () => token({ events: GONE })],
    ['of another event', () => token({ events: { 'https://example.org/other': {} } })],
    ['whose event is no object', () => token({ events: { [Object.keys(EVENTS)[0] ?? '']: 'x' } })],
    ['without a signature', () => `${token({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
    ['signed with our secret', () => token({}, { alg: 'HS256' })],
    ['with a key of nobody', () => token({}, { kid: 'unknown' })],
    ['that was changed', () => token().replace(/.{8}$/, 'AAAAAAAA')],
    ['that is none', () => 'x'],
    ['that is empty', () => ''],
    ['that is too long', () => 'x'.repeat(16_001)],
  ])('refuses a token %s, and nobody is logged out', async (_what, make) => {
    const visitor = await logIn();
    expect(await tell(await make())).toBe(400);
    expect(await isIn(visitor)).toBe(true);
    expect(await tell(token())).toBe(200);
    expect(await isIn(visitor)).toBe(false);
  });

  it('takes a token once, at the provider that it is for, on a host that has one', async () => {
    const said = token();
    expect(await tell(said)).toBe(200);
    const visitor = await logIn();
    expect(await tell(said)).toBe(400);
    expect(await tell(token(), '/accounts/logout/backchannel/nobody')).toBe(404);
    expect(await isIn(visitor)).toBe(true);
  });

  it('puts people into the groups that the provider says, and takes them out again, for who is new and who returns', async () => {
    await world.olive.post('/user_groups/create', { name: 'gardeners', description: '', members: [world.mia.userId] });
    const members = async () => {
      const { user_groups } = await world.olive.get('/user_groups');
      return user_groups.find(({ name }: { name: string }) => name === 'gardeners').members;
    };
    idp.person = { ...idp.person, groups: ['orchard'] };
    await logIn();
    expect(new Set(await members())).toEqual(new Set([world.max.userId, world.mia.userId]));
    // A provider that says nothing of groups changes nothing.
    idp.person = { ...idp.person, groups: undefined };
    await logIn();
    expect(await members()).toHaveLength(2);
    idp.person = { ...idp.person, groups: ['kitchen'] };
    await logIn();
    expect(await members()).toEqual([world.mia.userId]);
    await world.olive.patch('/realm', { invite_required: false });
    idp.person = { sub: 'nora', email: 'nora@acme.example', email_verified: true, groups: ['garden'] };
    await logIn();
    expect(await members()).toHaveLength(2);
  });

  it('asks for a picture once for each address, by https only, and leaves one that people chose', async () => {
    const asked = vi.spyOn(world.server.context.outbound, 'fetch');
    world.server.context.jobs.start(world.server.context);
    idp.person = { ...idp.person, picture: 'http://pictures.example/max.png' };
    await logIn();
    idp.person = { ...idp.person, picture: 'https://pictures.example/max.png' };
    await logIn();
    await expect.poll(() => asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ url: 'https://pictures.example/max.png', maxBytes: 5_242_880 });
    await logIn();
    idp.person = { ...idp.person, picture: 'https://pictures.example/new.png' };
    await logIn();
    await expect.poll(() => asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });
});
