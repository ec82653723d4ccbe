import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const KEY = 'a key of the organization, long enough';
const SSO = '/accounts/login/sso/';
const PROXY = '10.9.8.7';

describe.each(databases)('people for whom others vouch, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, {
      mode: 'production',
      environment: {
        ROOST_TRUSTED_PROXIES: PROXY,
        ...signInFile({
          proxy: { header: 'X-Remote-User', email_domain: 'roost.test' },
          jwt: { '': { algorithm: 'HS256', key: KEY }, other: { algorithm: 'HS256', key: `${KEY} of another` } },
        }),
      },
    });
  });
  afterEach(() => world.close());

  describe('a trusted proxy (protocol/authentication#trusted-proxy)', () => {
    const visit = (remoteAddress: string, headers: Record<string, string | string[]>, url = SSO) =>
      world.server.listener.inject({ method: 'GET', url, remoteAddress, headers });

    it('lets in the people it names, by address or by name', async () => {
      for (const name of ['member@roost.test', 'Member']) {
        const reply = await visit(PROXY, { 'x-remote-user': name });
        expect([reply.statusCode, reply.headers['location']]).toEqual([303, '/']);
        expect(String(reply.headers['set-cookie'])).toContain('roost-session=');
      }
    });

    it('is the only one who is believed, and names one person once', async () => {
      const named = { 'x-remote-user': 'member@roost.test' };
      const cases = [
        await visit('10.9.8.8', named),
        await visit('10.9.8.8', { ...named, 'x-forwarded-for': PROXY }),
        await visit(PROXY, {}),
        await visit(PROXY, { 'x-remote-user': '' }),
        await visit(PROXY, { 'x-remote-user': ['member@roost.test', 'owner@roost.test'] }),
        await visit(PROXY, { 'x-remote-user': 'member@roost.test, owner@roost.test' }),
      ];
      for (const { statusCode, headers } of cases) {
        expect(statusCode).toBe(401);
        expect(String(headers['set-cookie'] ?? '')).not.toContain('roost-session=');
      }
    });

    it('makes accounts by the rules of the organization, and none where it is off', async () => {
      expect((await visit(PROXY, { 'x-remote-user': 'nora' })).body).toContain('You need an invitation');
      expect(await refused()).toEqual({ reason: 'proxy', why: 'not-invited' });
      await world.olive.patch('/realm', { authentication_methods: { Email: true, RemoteUser: false } });
      expect((await visit(PROXY, { 'x-remote-user': 'member' })).statusCode).toBe(404);
    });

    it('lets in nobody whose account has ended, no bot, and nobody of its own domain that has no account', async () => {
      const before = (await world.olive.get('/users')).members.length;
      const bot = await world.user({ is_bot: true, email: 'rake@roost.test' });
      await world.olive.delete(`/users/${world.mia.userId}`);
      for (const [name, status] of [
        ['member2', 401],
        [bot.email, 403],
        ['nora', 403],
      ] as const) {
        const { statusCode, headers } = await visit(PROXY, { 'x-remote-user': name });
        expect([statusCode, String(headers['set-cookie'] ?? '').includes('roost-session=')]).toEqual([status, false]);
      }
      expect((await world.olive.get('/users')).members.length).toBe(before + 1);
    });

    it('hands the key to the phone app', async () => {
      const { headers } = await visit(
        PROXY,
        { 'x-remote-user': 'member' },
        `${SSO}?mobile_flow_otp=${'00'.repeat(32)}`,
      );
      const url = new URL(String(headers['location']));
      expect(Buffer.from(url.searchParams.get('otp_encrypted_api_key') ?? '', 'hex').toString()).toBe(world.max.apiKey);
      expect((await visit(PROXY, { 'x-remote-user': 'member' }, `${SSO}?mobile_flow_otp=x`)).statusCode).toBe(400);
    });
  });

  /** Why the last one was refused, as the audit log says it. */
  const refused = async () =>
    (await world.olive.get('/realm/audit_log', { action: 'session.refused' })).entries[0]?.after;

  describe('a signed token (protocol/authentication#signed-tokens)', () => {
    const now = () => world.clock.now();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const sign = (claims: object, { key = KEY, header = { alg: 'HS256' }, hash = 'sha256' } = {}) => {
      const signed = `${part(header)}.${part(claims)}`;
      return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
    };
    const good = () => ({ email: 'member@roost.test', exp: now() + 60 });
    const fetchKey = (token?: string, more = {}) =>
      world.spectator.request('POST', '/jwt/fetch_api_key', { token, ...more });

    it('gives the key of the account that it names, once', async () => {
      const { status, body } = await fetchKey(sign(good()), { include_profile: true });
      expect([status, body['api_key'], body['user'].user_id]).toEqual([200, world.max.apiKey, world.max.userId]);
      const token = sign({ ...good(), exp: now() + 61 });
      const both = await Promise.all([fetchKey(token), fetchKey(token)]);
      expect(both.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect((await fetchKey(token)).body['msg']).toBe('Bad JSON web token');
    });

    it('works once however its signature is written', async () => {
      const token = sign({ ...good(), exp: now() + 62 });
      expect((await fetchKey(token)).status).toBe(200);
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = letters.indexOf(token.at(-1) ?? '');
      // The last letter of 32 bytes in Base64 has two spare bits.
      for (const other of [
        `${token.slice(0, -1)}${letters[last ^ 1]}`,
        `${token.slice(0, -3)} ${token.slice(-3)}`,
        `${token}=`,
      ])
        expect((await fetchKey(other)).status, other).toBe(400);
    });

    it.each([
      ['is signed with another key', () => sign(good(), { key: `${KEY}!` })],
      ["is signed with another organization's key", () => sign(good(), { key: `${KEY} of another` })],
      ['is not signed', () => `${part({ alg: 'none' })}.${part(good())}.`],
      ['names another algorithm', () => sign(good(), { header: { alg: 'HS512' }, hash: 'sha512' })],
      ['is over', () => sign({ ...good(), exp: now() - 31 })],
      ['has no end', () => sign({ email: 'member@roost.test' })],
      ['is good for too long', () => sign({ ...good(), exp: now() + 601 })],
      ['is not good yet', () => sign({ ...good(), nbf: now() + 60 })],
      ['names nobody', () => sign({ exp: now() + 60 })],
      ['names somebody by a list', () => sign({ ...good(), email: ['member@roost.test'] })],
      ['is none', () => 'x.y.z'],
    ])('is refused when it %s', async (_what, token) => {
      expect(await fetchKey(token())).toMatchObject({ status: 400, body: { msg: 'Bad JSON web token' } });
      expect(await refused()).toEqual({ reason: 'signed token', why: 'invalid' });
      expect((await fetchKey(sign(good()))).status).toBe(200);
    });

    it('is refused for nobody, and without a token, and where it is off', async () => {
      expect((await fetchKey()).body['msg']).toBe('No JSON web token passed in request');
      const stranger = await fetchKey(sign({ ...good(), email: 'nobody@roost.test' }));
      expect(stranger).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } });
      const bot = await world.user({ is_bot: true, email: 'rake@roost.test' });
      expect((await fetchKey(sign({ ...good(), email: bot.email }))).status).toBe(401);
      await world.olive.delete(`/users/${world.mia.userId}`);
      const gone = await fetchKey(sign({ ...good(), email: world.mia.email }));
      expect(gone).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
      await world.olive.patch('/realm', { authentication_methods: { Email: true, JWT: false } });
      expect((await fetchKey(sign(good()))).body['msg']).toBe(
        'JWT authentication is not enabled for this organization',
      );
    });

    it('opens a session by the form of a page of the organization', async () => {
      const send = (token: string) =>
        world.server.listener.inject({
          method: 'POST',
          url: '/accounts/login/jwt/',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({ token, next: '//evil.test' }).toString(),
        });
      const token = sign(good());
      const reply = await send(token);
      expect([reply.statusCode, reply.headers['location']]).toEqual([303, '/']);
      expect((await send(token)).statusCode).toBe(400);
    });
  });
});

describe.each(databases)(
  'a token signed for a public key (protocol/authentication#signed-tokens), on %s',
  (database) => {
    const KINDS: Readonly<Record<string, () => KeyObject>> = {
      RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      EdDSA: () => generateKeyPairSync('ed25519').privateKey,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (alg: string, claims: object, by: (text: string) => Buffer) => {
      const text = `${part({ alg })}.${part(claims)}`;
      return `${text}.${by(text).toString('base64url')}`;
    };

    it.each(Object.keys(KINDS))(
      '%s lets in the people it names, and never by the public key itself or another',
      async (algorithm) => {
        const [mine, other] = [KINDS[algorithm]?.(), KINDS[algorithm]?.()];
        if (!mine || !other) throw new Error('no such kind of key');
        const pem = createPublicKey(mine).export({ type: 'spki', format: 'pem' }).toString();
        const environment = signInFile({ jwt: { '': { algorithm, key: pem } } });
        const world = await openWorld(database, { mode: 'production', environment });
        try {
          const claims = { email: 'member@roost.test', exp: world.clock.now() + 60 };
          const by = (key: KeyObject) => (text: string) =>
            signBytes(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
          const fetchKey = (token: string) => world.spectator.request('POST', '/jwt/fetch_api_key', { token });
          for (const token of [
            // If the token could choose its algorithm, the public key would be a secret of HS256.
            signed('HS256', claims, (text) => createHmac('sha256', pem).update(text).digest()),
            signed('none', claims, () => Buffer.alloc(0)),
            signed(algorithm, claims, by(other)),
          ])
            expect(await fetchKey(token)).toMatchObject({ status: 400, body: { msg: 'Bad JSON web token' } });
          expect((await fetchKey(signed(algorithm, claims, by(mine)))).body['api_key']).toBe(world.max.apiKey);
        } finally {
          await world.close();
        }
      },
    );
  },
);
