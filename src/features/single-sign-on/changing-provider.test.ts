import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { insertIdentity } from '#features/sign-in';
import { asId, type UserId } from '#kernel/ids';
import { Visitor } from '../../../test/support/browser-client.ts';
import { CERTIFICATE } from '../../../test/support/certificate.ts';
import { databasesInTurn } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, type Lies, signInFile } from '../../../test/support/identity-provider.ts';
import { least, processorMs } from '../../../test/support/processor.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const HOUR_MS = 3_600_001;
const many = Array.from({ length: 100 }, (_, at) => `nobody-${at}`);

describe.each(databasesInTurn(import.meta.url))('a provider that changes between requests, on %s', (database) => {
  let world: World;
  let idp: IdentityProvider;
  let evil: IdentityProvider;
  let inner: ReturnType<typeof createServer>;
  let reached = 0;
  beforeAll(async () => {
    [idp, evil] = [await IdentityProvider.open(), await IdentityProvider.open()];
    inner = createServer((_request, response) => {
      reached++;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    inner.listen(0, '127.0.0.1');
    await once(inner, 'listening');
    const known = { client_id: CLIENT.id, client_secret: CLIENT.secret, kind: 'openid' };
    const groups = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`group-${at}`, many]));
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...known, id: 'acme', name: 'Acme', issuer: idp.url, groups, roles: { guest: many } },
          { ...known, id: 'evil', name: 'Evil', issuer: evil.url },
          {
            kind: 'saml',
            id: 'acme-saml',
            name: 'Acme',
            issuer: idp.url,
            sign_in_url: `${idp.url}/saml`,
            certificates: [CERTIFICATE],
          },
        ],
      }),
    });
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
    await evil.close();
    inner.close();
  });
  beforeEach(() => {
    reached = 0;
    for (const provider of [idp, evil]) {
      provider.lies = {};
      provider.requests.length = 0;
    }
    idp.person = { sub: 'max-at-acme', email: world.max.email, email_verified: true };
    evil.person = { sub: 'attacker', email: 'attacker@evil.example', email_verified: true };
    world.clock.advance(HOUR_MS);
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.nowMs() });
  });
  afterEach(() => void vi.useRealTimers());

  const later = (ms = HOUR_MS) => {
    world.clock.advance(ms);
    vi.setSystemTime(world.clock.nowMs());
  };
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).text.includes(world.max.email);
  const innerUrl = () => `http://127.0.0.1:${(inner.address() as AddressInfo).port}/`;
  async function logIn() {
    const visitor = new Visitor(world.server);
    const begun = await visitor.get(BEGIN);
    if (begun.location === undefined) return { visitor, answer: begun };
    return { visitor, answer: await visitor.get(idp.authorize(begun.location)) };
  }
  const away = (at: string, status: number): Lies => ({
    answer: (path, response) => {
      if (path === at) response.writeHead(status, { location: innerUrl() }).end();
      return path === at;
    },
  });

  const paths = ['/.well-known/openid-configuration', '/token', '/keys', '/userinfo'];
  const redirects = paths.flatMap((at) => [302, 303, 307, 308].map((status): [string, number] => [at, status]));
  it.each(redirects)('is not followed from %s to an address inside the network, by %i', async (at, status) => {
    idp.lies = { ...away(at, status), claims: ({ email: _email, ...claims }) => claims };
    later();
    const { visitor, answer } = await logIn();
    expect([403, 502]).toContain(answer.status);
    expect([reached, await isIn(visitor)]).toEqual([0, false]);
  });

  const documents: [string, (document: Record<string, unknown>) => Record<string, unknown>][] = [
    ['another issuer', (document) => ({ ...document, issuer: evil.url })],
    ['an issuer with a slash', (document) => ({ ...document, issuer: `${idp.url}/` })],
    ['no issuer', ({ issuer: _issuer, ...document }) => document],
    ['an address that runs', (document) => ({ ...document, authorization_endpoint: 'javascript:alert(1)//' })],
    ['an address that is a page', (document) => ({ ...document, authorization_endpoint: 'data:text/html,x' })],
    ['a file', (document) => ({ ...document, token_endpoint: 'file:///etc/passwd' })],
    ['a list', () => [] as unknown as Record<string, unknown>],
    ['numbers', (document) => Object.fromEntries(Object.keys(document).map((name) => [name, 1]))],
    ['none announced', (document) => ({ ...document, id_token_signing_alg_values_supported: ['none'] })],
    ['HS256 announced', (document) => ({ ...document, id_token_signing_alg_values_supported: ['HS256'] })],
    ['a text for a list', (document) => ({ ...document, token_endpoint_auth_methods_supported: 7 })],
  ];
  it.each(documents)('lets nobody in whose document has %s after a good one', async (_what, discovery) => {
    expect(await isIn((await logIn()).visitor)).toBe(true);
    later();
    idp.lies = { discovery };
    const { visitor, answer } = await logIn();
    expect([403, 502]).toContain(answer.status);
    expect(await isIn(visitor)).toBe(false);
  });

  it.each(['none', 'HS256', 'hs256', 'None'])('lets nobody in whose keys become such for %s', async (alg) => {
    expect(await isIn((await logIn()).visitor)).toBe(true);
    later();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const secret of [CLIENT.secret, '']) {
      later();
      idp.lies = {
        discovery: (document) => ({
          ...document,
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', alg],
        }),
        token: (token) => {
          const text = `${part({ alg })}.${token.split('.')[1]}`;
          return `${text}.${alg.toLowerCase() === 'none' ? '' : createHmac('sha256', secret).update(text).digest('base64url')}`;
        },
        answer: (path, response) => {
          if (path === '/keys')
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ keys: [{ kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg }] }));
          return path === '/keys';
        },
      };
      const { visitor, answer } = await logIn();
      expect(answer.status).toBe(403);
      expect(await isIn(visitor)).toBe(false);
    }
  });

  it('is not mixed up with another: neither its codes, nor its tokens, nor its name (RFC 9700, 4.4)', async () => {
    // The browser begins at the evil provider, which sends it on to the honest one.
    const visitor = new Visitor(world.server);
    const begun = new URL((await visitor.get('/accounts/login/social/evil/')).location ?? '');
    const sentOn = new URL(`${idp.url}/authorize${begun.search}`);
    sentOn.searchParams.set('redirect_uri', begun.searchParams.get('redirect_uri')?.replace('evil', 'acme') ?? '');
    expect((await visitor.get(idp.authorize(sentOn.href))).status).toBe(400);
    expect(idp.requests).not.toContain('/token');
    // The evil provider hands out what the honest one signed, for its own attempt.
    const another = new Visitor(world.server);
    const at = (await another.get('/accounts/login/social/evil/')).location ?? '';
    const nonce = new URL(at).searchParams.get('nonce');
    const now = Math.floor(Date.now() / 1000);
    evil.lies = {
      token: () => idp.sign({ iss: idp.url, aud: CLIENT.id, iat: now, exp: now + 300, nonce, ...idp.person }),
      answer: () => false,
    };
    expect((await another.get(evil.authorize(at))).status).toBe(403);
    expect([await isIn(visitor), await isIn(another)]).toEqual([false, false]);
    // Or lends the honest one's name in the answer (RFC 9207).
    evil.lies = {};
    const third = new Visitor(world.server);
    const path = evil.authorize((await third.get('/accounts/login/social/evil/')).location);
    expect((await third.get(`${path}&iss=${encodeURIComponent(idp.url)}`)).status).toBe(403);
  });

  it('opens one session with one answer in five tabs', async () => {
    idp.lies = { codesWorkAgain: true };
    const visitor = new Visitor(world.server);
    const path = idp.authorize((await visitor.get(BEGIN)).location);
    const attempt = visitor.cookies.get('roost-attempt') ?? '';
    const tabs = Array.from({ length: 5 }, () => {
      const tab = new Visitor(world.server);
      tab.cookies.set('roost-attempt', attempt);
      return tab;
    });
    const answers = await Promise.all(tabs.map((tab) => tab.get(path)));
    expect(answers.filter(({ status }) => status === 303).length).toBe(1);
  });

  it.each([
    ['a subject with a NUL', { sub: 'a\u0000b' }],
    ['a name with a NUL', { sub: 'x1', email: 'x1@roost.test', name: 'a\u0000b' }],
    ['an address with a NUL', { sub: 'x2', email: 'x2\u0000@roost.test' }],
    ['a picture with a NUL', { sub: 'x3', picture: 'https://x.example/\u0000' }],
    ['a session with a NUL', { sub: 'x4', sid: 'a\u0000b' }],
    ['half a letter', { sub: 'x\uD800' }],
    ['a fraction of a time', { sub: 'x5', auth_time: 1.5 }],
    ['a time before time', { sub: 'x6', auth_time: -1e30 }],
    ['a time after time', { sub: 'x7', auth_time: 1e30 }],
    ['a time that is a text', { sub: 'x8', auth_time: 'now' }],
    ['groups with a NUL', { sub: 'x9', groups: ['a\u0000'] }],
    ['groups that are none', { sub: 'x10', groups: [{}, null, 1] }],
    ['a list that is an object', { sub: 'x11', groups: { length: 1e9 } }],
    ['claims named like those of objects', { sub: 'x12', ['__proto__']: 1, constructor: 'x' }],
  ])('is no failure of the server, with %s', async (_what, claims) => {
    idp.person = { ...idp.person, ...claims };
    expect([303, 403]).toContain((await logIn()).answer.status);
  });

  it('is compared with the groups of the configuration in little time, with as many groups as fit', async () => {
    idp.person = { ...idp.person, groups: Array.from({ length: 30_000 }, (_, at) => at.toString(36)) };
    const enter = async () => expect(await isIn((await logIn()).visitor)).toBe(true);
    // Each with each took 350 ms.
    expect(await least(200, () => processorMs(enter))).toBeLessThan(200);
  });

  it('is asked for people of its own kind only: in another, a subject may be chosen by anybody', async () => {
    const { context } = world.server;
    await context.store.in(world.realm).write((tx) =>
      insertIdentity(tx, {
        realm_id: world.realm.id,
        user_id: asId<UserId>(world.olive.userId),
        provider: 'acme-saml',
        issuer: idp.url,
        subject: 'a-name',
      }),
    );
    idp.person = { ...idp.person, sub: 'a-name' };
    const { visitor, answer } = await logIn();
    expect([answer.status, (await visitor.get('/')).status]).toEqual([400, 303]);
    // Nor does it confirm a session there.
    const owner = new Visitor(world.server);
    await owner.get('/login/');
    await owner.post('/login/', { username: world.olive.email, password: 'roost-demo-password' });
    const { location } = await owner.get(`${BEGIN}?confirm`);
    idp.lies = { claims: (claims) => ({ ...claims, auth_time: claims['iat'] }) };
    expect((await owner.get(idp.authorize(location))).status).toBe(403);
  });

  it.each(paths)('that answers %s by drops is waited for eight seconds', async (at) => {
    const open: ServerResponse[] = [];
    idp.lies = {
      claims: ({ email: _email, ...claims }) => claims,
      answer: (path, response) => {
        if (path !== at) return false;
        open.push(response.writeHead(200, { 'content-type': 'application/json' }));
        return true;
      },
    };
    const answer = logIn();
    await expect.poll(() => open.length).toBe(1);
    for (let second = 0; second < 9; second++) {
      for (const response of open) await new Promise((resolve) => response.write(' ', resolve));
      world.clock.advance(1000);
    }
    expect([403, 502, 503]).toContain((await answer).answer.status);
    for (const response of open) response.destroy();
  });
});
