import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrganization } from '#features/organizations';
import { addToken } from '#features/scim';
import { makeResetLink, makeSignInLink } from '#features/sign-in';
import { findUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import { codeOf } from '../support/authenticator.ts';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../support/identity-provider.ts';
import * as certificates from '../support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SIGN_IN, SAML_SIGN_OUT, SamlProvider } from '../support/saml-provider.ts';
import { openWorld, type World } from '../support/world.ts';

const OTHER = 'other.localhost';
const PASSWORD = 'roost-demo-password';
const OPENID = '/accounts/login/social/acme/';
const SAML = '/accounts/login/social/corp/';
const SETUP = '/accounts/second-factor/setup/';

/** Both organizations have the same providers and a person of the same address; browsers bring along whatever they have. */
describe.each(databases)('17: what lets somebody into one organization opens no other, on %s', (database) => {
  let world: World;
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    const keys = { private_key: certificates.SAML_SERVER_KEY, certificate: certificates.SAML_SERVER_CERTIFICATE };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          {
            kind: 'openid',
            id: 'acme',
            name: 'Acme',
            issuer: idp.url,
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
          },
          {
            kind: 'saml',
            id: 'corp',
            name: 'Corp',
            issuer: SAML_ISSUER,
            ...keys,
            emails_verified: true,
            sign_in_url: SAML_SIGN_IN,
            sign_out_url: SAML_SIGN_OUT,
            certificates: [certificates.SAML_PROVIDER_CERTIFICATE],
          },
        ],
      }),
    });
    const owner = { email: world.olive.email, full_name: 'Otto Other', password: 'a-password-of-others' };
    await createOrganization(world.server.context, { subdomain: 'other', name: 'Other', owner });
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
  });
  beforeEach(() => {
    idp.person = { sub: 'olive-at-acme', sid: 's-1', email: world.olive.email, email_verified: true };
  });

  const there = (cookies: Visitor['cookies'] = new Map()) => {
    const visitor = new Visitor(world.server, '127.0.0.1', '', OTHER);
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    return visitor;
  };
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status === 200;
  async function logIn(username = world.olive.email): Promise<Visitor> {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    expect((await visitor.post('/login/', { username, password: PASSWORD })).status).toBe(303);
    return visitor;
  }
  async function owner() {
    const user = await world.server.context.store
      .in(world.realm)
      .read((tx) => findUser(tx, asId<UserId>(world.olive.userId)));
    if (!user) throw new Error('there is no Olive');
    return user;
  }
  async function samlProvider() {
    const { text } = await new Visitor(world.server).get('/complete/corp/metadata.xml');
    const provider = new SamlProvider(text, () => world.clock.now());
    provider.person = { nameId: 'olive-at-corp', email: [world.olive.email] };
    return provider;
  }

  it('a session, nor the password of the one by the same address', async () => {
    const here = await logIn();
    expect([await isIn(here), await isIn(there(here.cookies))]).toEqual([true, false]);
    const stranger = there();
    await stranger.get('/login/');
    expect((await stranger.post('/login/', { username: world.olive.email, password: PASSWORD })).status).toBe(401);
  });

  it.each(['sign-in', 'reset'] as const)('a link: %s', async (kind) => {
    const { context } = world.server;
    const user = await owner();
    const make = kind === 'sign-in' ? makeSignInLink : makeResetLink;
    const { pathname } = new URL(await context.store.in(world.realm).write((tx) => make(context, tx, user)));
    const stranger = there();
    expect((await stranger.get(pathname)).status).toBe(404);
    await stranger.get('/login/');
    expect((await stranger.post(pathname, { password: 'three tall herons' })).status).toBe(404);
    expect((await new Visitor(world.server).get(pathname)).status).toBe(200);
  });

  it('an answer of an OpenID provider, and its word that somebody logged out', async () => {
    const here = new Visitor(world.server);
    const answer = idp.authorize((await here.get(OPENID)).location);
    expect((await there(here.cookies).get(answer)).status).toBe(400);
    expect((await here.get(answer)).status).toBe(303);
    const now = world.clock.now();
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const claims = {
      iss: idp.url,
      aud: CLIENT.id,
      iat: now,
      exp: now + 120,
      jti: 'apart',
      events,
      sub: 'olive-at-acme',
    };
    await there().post('/accounts/logout/backchannel/acme', { logout_token: idp.sign(claims, { typ: 'logout+jwt' }) });
    expect(await isIn(here)).toBe(true);
  });

  it('an answer of a SAML provider, and its word that somebody logged out', async () => {
    const here = new Visitor(world.server);
    const corp = await samlProvider();
    const SAMLResponse = await corp.answer((await here.get(SAML)).location);
    expect((await there().post('/complete/corp/', { SAMLResponse })).status).toBe(403);
    const posted = await new Visitor(world.server).post('/complete/corp/', { SAMLResponse });
    expect((await there(here.cookies).get(posted.location ?? '')).status).toBe(400);
    expect((await here.get(posted.location ?? '')).status).toBe(303);
    expect((await there().get(`/accounts/logout/saml/corp?${corp.logoutQuery()}`)).status).toBe(400);
    expect(await isIn(here)).toBe(true);
  });

  it('a password that waits for its second factor', async () => {
    const here = await logIn(world.olive.email);
    const page = (await here.get(SETUP)).text;
    const secret = /class="address">([A-Z2-7]{32})</.exec(page)?.[1] ?? '';
    const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await here.post(SETUP, { setup, password: PASSWORD, code: codeOf(secret, world.clock.nowMs()) });
    world.clock.advance(60_000);
    const waiting = new Visitor(world.server);
    await waiting.get('/login/');
    const { location = '' } = await waiting.post('/login/', { username: world.olive.email, password: PASSWORD });
    await waiting.get(location);
    const code = codeOf(secret, world.clock.nowMs());
    const stranger = there(waiting.cookies);
    await stranger.get('/login/');
    await stranger.post(location, { code });
    expect(await isIn(stranger)).toBe(false);
    await waiting.post(location, { code });
    expect(await isIn(waiting)).toBe(true);
  });

  it('keys, app passwords, and tokens of directories', async () => {
    const { secret } = await world.olive.post('/users/me/api_keys', { name: 'mail', key_kind: 'app_password' });
    const token = await addToken(world.server.context, world.realm, 'Okta');
    const key = Buffer.from(`${world.olive.email}:${world.olive.apiKey}`).toString('base64');
    const ask = async (host: string) => {
      const scim = {
        method: 'GET',
        url: '/scim/v2/Users',
        headers: { host, authorization: `Bearer ${token}` },
      } as const;
      const mine = {
        method: 'GET',
        url: '/api/v1/users/me',
        headers: { host, authorization: `Basic ${key}` },
      } as const;
      const logIn = {
        method: 'POST',
        url: '/api/v1/fetch_api_key',
        headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ username: world.olive.email, password: secret }).toString(),
      } as const;
      const asked = [scim, mine, logIn].map((request) => world.server.listener.inject(request));
      return (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    };
    expect(await ask('localhost')).toEqual([200, 200, 200]);
    expect(await ask(OTHER)).toEqual([401, 401, 401]);
  });
});
