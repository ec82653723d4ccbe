import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../support/identity-provider.ts';
import { SecurityKey } from '../support/passkeys.ts';
import * as certificates from '../support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SIGN_IN, SAML_SIGN_OUT, SamlProvider } from '../support/saml-provider.ts';
import { openWorld, type World } from '../support/world.ts';

/** What is typed or sent in every case, and may stand in no line. */
const SECRET = 'a-secret-that-nobody-may-read';
const PROXY = '10.9.8.7';
const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };
const SETUP = '/accounts/second-factor/setup/';

describe.each(databases)('a sign-in that is refused, on %s (security#sign-in-by-others)', (database) => {
  let world: World;
  let idp: IdentityProvider;
  let saml: SamlProvider;
  let lines: string[] = [];
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    const known = { issuer: SAML_ISSUER, certificates: [certificates.SAML_PROVIDER_CERTIFICATE] };
    const ours = { private_key: certificates.SAML_SERVER_KEY, certificate: certificates.SAML_SERVER_CERTIFICATE };
    const addresses = { sign_in_url: SAML_SIGN_IN, sign_out_url: SAML_SIGN_OUT };
    world = await openWorld(database, {
      mode: 'production',
      onLine: (line) => lines.push(line),
      environment: {
        ROOST_TRUSTED_PROXIES: PROXY,
        ...signInFile({
          providers: [
            {
              kind: 'openid',
              id: 'acme',
              name: 'Acme',
              issuer: idp.url,
              client_id: CLIENT.id,
              client_secret: CLIENT.secret,
            },
            { kind: 'saml', id: 'saml', name: 'Saml', ...known, ...ours, ...addresses },
          ],
          proxy: { header: 'X-Remote-User', email_domain: 'roost.test' },
          jwt: { '': { algorithm: 'HS256', key: `${SECRET} of the organization` } },
        }),
      },
    });
    const { text } = await new Visitor(world.server).get('/complete/saml/metadata.xml');
    saml = new SamlProvider(text, () => world.clock.now());
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
  });
  beforeEach(() => {
    idp.lies = {};
    idp.person = { sub: SECRET, email: `${SECRET}@roost.test`, email_verified: true };
    // A line that repeats is written once a minute.
    world.clock.advance(61_000);
    lines = [];
  });

  const visit = () => new Visitor(world.server);
  const begin = async (visitor: Visitor, id = 'acme') =>
    (await visitor.get(`/accounts/login/social/${id}/`)).location ?? '';
  async function typed(fields: Record<string, string>, visitor = visit()) {
    await visitor.get('/login/');
    return visitor.post('/login/', fields);
  }
  const atAcme = async () => {
    const visitor = visit();
    return visitor.get(idp.authorize(await begin(visitor)));
  };
  const form = (url: string, fields: Record<string, string>) => visit().post(url, fields);
  const proxied = (value: string | string[]) =>
    world.server.listener.inject({
      url: '/accounts/login/sso/',
      remoteAddress: PROXY,
      headers: { 'x-remote-user': value },
    });

  const cases: [string, () => Promise<unknown>][] = [
    ['a wrong password', () => typed({ username: world.max.email, password: SECRET })],
    ['a name of nobody', () => typed({ username: `${SECRET}@roost.test`, password: SECRET })],
    [
      'a wrong password of an app',
      () => world.spectator.request('POST', '/fetch_api_key', { username: world.max.email, password: SECRET }),
    ],
    ['an answer that nobody asked for', () => visit().get(`/complete/acme/?code=${SECRET}&state=${SECRET}`)],
    [
      'an answer to another question',
      async () => {
        const visitor = visit();
        await begin(visitor);
        return visitor.get(`/complete/acme/?code=${SECRET}&state=${SECRET}`);
      },
    ],
    [
      'a provider that says no',
      async () => {
        const visitor = visit();
        const state = new URL(await begin(visitor)).searchParams.get('state') ?? '';
        return visitor.get(`/complete/acme/?error=access_denied&error_description=${SECRET}&state=${state}`);
      },
    ],
    [
      'a token that is none',
      () => {
        idp.lies = { token: () => SECRET };
        return atAcme();
      },
    ],
    [
      'a provider that is down',
      () => {
        idp.lies = { answer: (path, response) => path === '/token' && Boolean(response.destroy()) };
        return atAcme();
      },
    ],
    [
      'an address that is not verified',
      () => {
        idp.person = { ...idp.person, email_verified: false };
        return atAcme();
      },
    ],
    ['somebody without an invitation', atAcme],
    ['an answer of SAML that is none', () => form('/complete/saml/', { SAMLResponse: SECRET })],
    [
      'an answer of SAML with the key of somebody else',
      async () => {
        saml.person = { nameId: SECRET };
        const SAMLResponse = await saml.answer(await begin(visit(), 'saml'), { key: certificates.SAML_OTHER_KEY });
        return form('/complete/saml/', { SAMLResponse });
      },
    ],
    ['a token to log out that is none', () => form('/accounts/logout/backchannel/acme', { logout_token: SECRET })],
    [
      'a request of SAML to log out that is none',
      () => visit().get(`/accounts/logout/saml/saml?SAMLRequest=${SECRET}`),
    ],
    ['a form of SAML to log out that is none', () => form('/accounts/logout/saml/saml', { SAMLRequest: SECRET })],
    ['a signed token that is none', () => world.spectator.request('POST', '/jwt/fetch_api_key', { token: SECRET })],
    ['a signed token in a form that is none', () => form('/accounts/login/jwt/', { token: SECRET })],
    ['a header from elsewhere', () => visit().get('/accounts/login/sso/')],
    ['a header with two names', () => proxied(`${SECRET}, ${world.max.email}`)],
    ['a header with a name of nobody', () => proxied(SECRET)],
    [
      'a passkey of nobody',
      async () => {
        const visitor = visit();
        await visitor.get('/login/');
        const { text } = await visitor.post('/accounts/passkeys/challenge/', { use: 'sign-in' });
        const { asked, options } = JSON.parse(text);
        const key = new SecurityKey();
        key.make({ ...options, user: { id: 'AAAA' } });
        return visitor.post('/accounts/passkeys/sign-in/', { asked, passkey: key.use(options) });
      },
    ],
    [
      'a token of no directory',
      () => {
        const authorization = `Bearer roost-scim-${SECRET}`;
        return world.server.listener.inject({ url: '/scim/v2/Users', headers: { authorization } });
      },
    ],
  ];

  it.each(cases)('leaves one line in the log, which repeats nothing: %s', async (_what, act) => {
    const people = async () => (await world.olive.get('/users')).members.length;
    const before = await people();
    const answer = (await act()) as { status?: number; statusCode?: number };
    expect((answer.status ?? answer.statusCode ?? 0) >= 400).toBe(true);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', msg: expect.any(String) });
    for (const secret of [SECRET, CLIENT.secret, 'member@', 'roost.test']) expect(lines[0]).not.toContain(secret);
    expect(await people()).toBe(before);
  });

  it('leaves one, too, where the code of an app is wrong', async () => {
    const visitor = visit();
    await typed(OWNER, visitor);
    const page = await visitor.get(SETUP);
    const { codeOf } = await import('../support/authenticator.ts');
    const code = codeOf(/class="address">([A-Z2-7]{32})</.exec(page.text)?.[1] ?? '', world.clock.nowMs());
    const setup = /name="setup" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await visitor.post(SETUP, { setup, password: OWNER.password, code })).status).toBe(200);
    const other = visit();
    expect((await typed(OWNER, other)).location).toBe('/accounts/second-factor/');
    await other.get('/accounts/second-factor/');
    expect(lines).toEqual([]);
    expect((await other.post('/accounts/second-factor/', { code: SECRET })).status).toBe(401);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(SECRET);
  });
});
