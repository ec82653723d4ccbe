import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databasesInTurn } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, type Lies, signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Answers a request for keys with JSON. */
const keys = (body: unknown): NonNullable<Lies['answer']> => {
  return (path, response) => {
    if (path === '/keys') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return path === '/keys';
  };
};
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), kid: 'k', ...more });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signs the claims of a token anew, by another key or in another way. */
const signed = (token: string, key: KeyObject, header: object, hash = 'sha256') => {
  const text = `${part({ alg: 'RS256', kid: 'k', ...header })}.${token.split('.')[1]}`;
  return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`;
};
const strong = rsa(2048);
const weak = rsa(1024);
const own = jwkOf(strong.publicKey);
const by = (key: KeyObject, header: object = {}, hash = 'sha256') => {
  return { token: (token: string) => signed(token, key, header, hash) };
};

describe.each(databasesInTurn(import.meta.url))("a provider's key server, on %s", (database) => {
  let world: World;
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    const known = { client_id: CLIENT.id, client_secret: CLIENT.secret, issuer: idp.url };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({ providers: [{ ...known, kind: 'openid', id: 'acme', name: 'Acme' }] }),
    });
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
  });
  beforeEach(() => {
    idp.person = { sub: 'max-at-acme', email: world.max.email, email_verified: true };
    idp.lies = {};
    idp.requests.length = 0;
    // What was said about the provider and its keys is asked anew.
    world.clock.advance(3_600_001);
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.nowMs() });
  });
  afterEach(() => void vi.useRealTimers());

  async function logIn() {
    const visitor = new Visitor(world.server);
    const { location } = await visitor.get(BEGIN);
    return { visitor, answer: await visitor.get(idp.authorize(location)) };
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).text.includes(world.max.email);
  function logoutToken(): string {
    const now = world.clock.now();
    const claims = {
      iss: idp.url,
      aud: CLIENT.id,
      iat: now,
      exp: now + 120,
      jti: `t-${Math.random()}`,
      events: EVENTS,
    };
    const token = idp.sign({ ...claims, sub: 'max-at-acme' });
    return idp.lies.token?.(token) ?? token;
  }
  const tell = async (logout_token: string) => {
    const payload = new URLSearchParams({ logout_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = '/accounts/logout/backchannel/acme';
    return (await world.server.listener.inject({ method: 'POST', url, headers, payload })).statusCode;
  };

  const cases: [string, () => Lies][] = [
    ['with a gigabyte', () => ({ answer: flood })],
    ['with a way to somewhere else', () => ({ answer: away('http://127.0.0.1:1/keys') })],
    ['with a way back to itself', () => ({ answer: away('/keys') })],
    ['with nothing', () => ({ answer: keys(null) })],
    ['with no list', () => ({ answer: keys({ keys: 'all' }) })],
    ['with keys that are none', () => ({ answer: keys({ keys: [null, 1, [], {}, { kty: 'RSA', kid: 'k' }] }) })],
    ['with what nests without end', () => ({ answer: (path, response) => path === '/keys' && nest(response) })],
    [
      'with five hundred keys of one name',
      () => ({ answer: keys({ keys: Array.from({ length: 500 }, () => own) }), ...by(strong.privateKey) }),
    ],
    ['with a weak key', () => ({ answer: keys({ keys: [jwkOf(weak.publicKey)] }), ...by(weak.privateKey) })],
    [
      'with a key of a hundred thousand bits',
      () => ({
        answer: keys({ keys: [{ ...own, n: Buffer.alloc(12_500, 0xfb).toString('base64url') }] }),
        ...by(strong.privateKey),
      }),
    ],
    [
      'with a secret for a key, by whose name the token goes',
      () => ({
        answer: keys({ keys: [{ kty: 'oct', kid: 'k', k: part(own), alg: 'RS256' }] }),
        ...by(strong.privateKey),
      }),
    ],
    [
      'with a key for something else',
      () => ({ answer: keys({ keys: [{ ...own, use: 'enc' }] }), ...by(strong.privateKey) }),
    ],
    [
      'with a key of a way that is not announced',
      () => ({ answer: keys({ keys: [own] }), ...by(strong.privateKey, { alg: 'RS512' }, 'sha512') }),
    ],
    [
      'with a token that brings its key, or the address of it',
      () => by(weak.privateKey, { jwk: jwkOf(weak.publicKey), jku: `${idp.url}/evil`, x5u: `${idp.url}/evil` }),
    ],
    [
      'with a token that asks for what nobody knows',
      () => ({ answer: keys({ keys: [own] }), ...by(strong.privateKey, { crit: ['b64'], b64: false }) }),
    ],
  ];
  it.each(cases)('%s lets nobody in and logs nobody out', async (_what, lies) => {
    const { visitor } = await logIn();
    world.clock.advance(3_600_001);
    vi.setSystemTime(world.clock.nowMs());
    idp.lies = lies();
    const before = process.cpuUsage().user;
    const { visitor: other, answer } = await logIn();
    expect([answer.status, await isIn(other)]).toEqual([403, false]);
    expect([await tell(logoutToken()), await isIn(visitor)]).toEqual([400, true]);
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1000);
    expect(idp.requests).not.toContain('/evil');
  });

  it('that hangs is waited for eight seconds', async () => {
    const held: { destroy(): unknown }[] = [];
    idp.lies = { answer: (path, response) => path === '/keys' && held.push(response) > 0 };
    const visitor = new Visitor(world.server);
    const answer = visitor.get(idp.authorize((await visitor.get(BEGIN)).location));
    const told = tell(logoutToken());
    await expect.poll(() => held.length).toBe(2);
    world.clock.advance(8_001);
    expect([(await answer).status, await told]).toEqual([503, 400]);
    for (const response of held) response.destroy();
  });

  it('is asked where nobody reads along: by https, or on this machine', async () => {
    const { visitor } = await logIn();
    world.clock.advance(3_600_001);
    vi.setSystemTime(world.clock.nowMs());
    idp.lies.discovery = (document) => ({ ...document, jwks_uri: `${idp.url.replace('127.0.0.1', '0.0.0.0')}/keys` });
    expect([await tell(logoutToken()), await isIn(visitor)]).toEqual([400, true]);
  });

  it('is believed where it tells the truth', async () => {
    idp.lies = { answer: keys({ keys: [own] }), ...by(strong.privateKey) };
    const { visitor } = await logIn();
    expect(await isIn(visitor)).toBe(true);
    expect([await tell(logoutToken()), await isIn(visitor)]).toEqual([200, false]);
  });
});

type Answer = NonNullable<Lies['answer']>;

const flood: Answer = (path, response) => {
  if (path !== '/keys') return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
  return true;
};

function away(location: string): Answer {
  return (path, response) => {
    if (path === '/keys') response.writeHead(302, { location }).end();
    return path === '/keys';
  };
}

function nest(response: Parameters<Answer>[1]): boolean {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"keys":${'['.repeat(200_000)}`);
  return true;
}
