import type * as Argon2 from '@node-rs/argon2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { hashPassword, setPasswordHash } from '#features/sign-in';
import { asId, type UserId } from '#kernel/ids';
import { isTooOld } from './compatibility.ts';

/** What the package was asked to verify; the package itself does its work. */
const verified = vi.hoisted((): string[] => []);
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof Argon2>();
  const verify: typeof real.verify = (hash, ...rest) => {
    verified.push(String(hash));
    return real.verify(hash, ...rest);
  };
  return { ...real, verify };
});

const PASSWORD = 'roost-demo-password';

describe.each(databases)('API keys for a password on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production' });
    verified.length = 0;
  });
  afterEach(() => world.close());

  const refusal = (username: string, password: string) =>
    world.spectator.refused('POST', '/fetch_api_key', { username, password });
  const WRONG = { status: 401, code: 'AUTHENTICATION_FAILED', msg: 'Your username or password is incorrect' };

  it('take one verification of the same cost, whatever is wrong: nobody learns whose address has an account (protocol/authentication#sign-in)', async () => {
    const { olive, max, mia, adam, server, realm } = world;
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: asId<UserId>(mia.userId) });
    const hash = await hashPassword(PASSWORD);
    await server.context.store.in(realm).write((tx) => setPasswordHash(tx, asId<UserId>(mia.userId), hash));
    await adam.delete(`/users/${mia.userId}`);
    const costs: Record<string, readonly string[]> = {};
    const attempts: Record<string, string> = {
      'unknown address': 'nobody@roost.test',
      'wrong password': olive.email,
      'no password': max.email,
      'a bot': bot.email,
      deactivated: mia.email,
    };
    for (const [name, username] of Object.entries(attempts)) {
      verified.length = 0;
      expect(await refusal(username, 'guessed'), name).toMatchObject(WRONG);
      costs[name] = verified.map((stored) => stored.split('$').slice(0, 4).join('$'));
    }
    const once = ['$argon2id$v=19$m=19456,t=2,p=1'];
    expect(costs).toEqual(Object.fromEntries(Object.keys(attempts).map((name) => [name, once])));
    // The state of an account is for those who know its password.
    expect(await refusal(mia.email, PASSWORD)).toMatchObject({ code: 'USER_DEACTIVATED' });
    expect(await world.spectator.post('/fetch_api_key', { username: olive.email, password: PASSWORD })).toMatchObject({
      email: olive.email,
    });
  });

  it.each(['nobody', 'a b@roost.test', ''])('are refused to "%s", which is no address', async (username) => {
    expect(await refusal(username, PASSWORD)).toMatchObject({ status: 400, msg: 'Enter a valid email address.' });
    expect(verified).toEqual([]);
  });

  it('are not given without one in production (protocol/authentication#development)', async () => {
    const { spectator, olive } = world;
    const not = { status: 400, msg: 'Endpoint not available in production.' };
    expect(await spectator.refused('POST', '/dev_fetch_api_key', { username: olive.email })).toMatchObject(not);
    expect(await spectator.refused('GET', '/dev_list_users')).toMatchObject(not);
  });

  it('are for an organization that there is', async () => {
    const { server } = world;
    const reply = await server.listener.inject({
      method: 'POST',
      url: '/api/v1/fetch_api_key',
      headers: { host: 'nowhere.localhost:9991', 'content-type': 'application/x-www-form-urlencoded' },
      payload: `username=${world.olive.email}&password=${PASSWORD}`,
    });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN', msg: 'Invalid subdomain' });
  });
});

describe.each(databases)('API keys without a password, in development, on %s', (database) => {
  let world: World;
  let spectator: Client;
  beforeAll(async () => {
    world = await openWorld(database);
    ({ spectator } = world);
  });
  afterAll(() => world.close());

  it('are given to everybody who names an address (protocol/authentication#development)', async () => {
    const { max, adam } = world;
    const wanted = { username: max.email };
    expect(await spectator.post('/dev_fetch_api_key', wanted)).toMatchObject({ api_key: max.apiKey });
    const { direct_admins, direct_users } = await spectator.get('/dev_list_users');
    expect(direct_admins).toContainEqual({ email: adam.email, realm_url: 'http://localhost:9991' });
    expect(direct_users).toContainEqual({ email: max.email, realm_url: 'http://localhost:9991' });
    const refusal = async (username: string) => spectator.refused('POST', '/dev_fetch_api_key', { username });
    expect(await refusal('nobody')).toMatchObject({ status: 400, msg: 'Enter a valid email address.' });
    expect(await refusal('nobody@roost.test')).toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' });
  });

  it('are not, where the organization does not want that', async () => {
    await world.olive.patch('/realm', { authentication_methods: { Email: true, Dev: false } });
    const not = { status: 400, msg: 'DevAuthBackend not enabled.' };
    expect(await spectator.refused('POST', '/dev_fetch_api_key', { username: world.max.email })).toMatchObject(not);
    expect(await spectator.refused('GET', '/dev_list_users')).toMatchObject(not);
  });

  it('are not given where passwords do not count (protocol/authentication#development)', async () => {
    const { olive } = world;
    await olive.patch('/realm', { authentication_methods: { Email: false, Dev: true } });
    const disabled = {
      status: 401,
      code: 'PASSWORD_AUTH_DISABLED',
      msg: 'Password authentication is disabled in this organization',
    };
    const refusal = (username: string) => spectator.refused('POST', '/fetch_api_key', { username, password: PASSWORD });
    expect(await refusal(olive.email)).toMatchObject(disabled);
    expect(await refusal('nobody@roost.test')).toMatchObject(disabled);
    expect(await spectator.get('/server_settings')).toMatchObject({ email_auth_enabled: false });
    await olive.patch('/realm', { authentication_methods: { Email: true, Dev: true } });
  });

  it('tells the description of the organization as HTML (protocol/authentication#server-settings)', async () => {
    const { olive, spectator } = world;
    const described = async () => (await spectator.get('/server_settings')).realm_description;
    await olive.patch('/realm', { description: 'A place for *birds* <b>' });
    expect(await described()).toBe('<p>A place for <em>birds</em> &lt;b&gt;</p>');
    await olive.patch('/realm', { description: '' });
    expect(await described()).toBe('');
  });

  it('judges a User-Agent of any length within some milliseconds', () => {
    const began = performance.now();
    for (const tail of ['', ' Android'])
      isTooOld({ client: '', userAgent: `ZulipMobile/${'1'.repeat(100_000)}${tail}` });
    expect(performance.now() - began).toBeLessThan(50);
  });

  it('tells clients that are too old (protocol/authentication#compatibility)', async () => {
    const { spectator } = world;
    const answer = async (agent: string) => {
      const { body } = await spectator.request('GET', '/compatibility', {}, { 'user-agent': agent });
      const settings = await spectator.request('GET', '/server_settings', {}, { 'user-agent': agent });
      return [body['msg'], settings.body['is_incompatible']];
    };
    expect(await answer('')).toEqual(['User-Agent header missing from request', false]);
    for (const agent of [
      'ZulipInvalid',
      'ZulipInvalid/9.0',
      'ZulipMobile/16.2.95 (Android 6.0)',
      'ZulipMobile/1 (Android)',
    ])
      expect(await answer(agent), agent).toEqual(['Client is too old', true]);
    for (const agent of [
      'ZulipMobile/16.2.96 (Android 14)',
      'ZulipMobile/27.0 (Android)',
      'ZulipMobile/1.0 (iOS)',
      'curl/8',
    ])
      expect(await answer(agent), agent).toEqual(['', false]);
  });
});
