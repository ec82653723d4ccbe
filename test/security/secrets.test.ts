import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { countStatements } from '../support/statements.ts';
import { openWorld, type World } from '../support/world.ts';

/** How often secrets were compared in constant time; the comparison itself is the real one. */
const compared = { times: 0 };
const { timingSafeEqual } = crypto;
function counting(...sides: Parameters<typeof timingSafeEqual>): boolean {
  compared.times++;
  return timingSafeEqual(...sides);
}
/** Puts a comparison in the place of Node's, for who has imported it, too. */
function install(comparison: typeof timingSafeEqual): void {
  crypto.timingSafeEqual = comparison;
  syncBuiltinESMExports();
}

const WRONG = 'A'.repeat(32);

describe.each(databases)('24: secrets are compared in a time that does not tell, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    install(counting);
    world = await openWorld(database);
  });
  afterAll(async () => {
    install(timingSafeEqual);
    await world.close();
  });
  beforeEach(() => {
    compared.times = 0;
  });

  const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const get = (url: string, headers: Record<string, string> = {}) =>
    world.server.listener.inject({ method: 'GET', url, headers: { host: 'localhost:9991', ...headers } });

  it('API keys in headers', async () => {
    const authorization = basic(world.max.email, WRONG);
    expect((await get('/api/v1/users/me', { authorization })).statusCode).toBe(401);
    expect(compared.times).toBe(1);
  });

  it('wrong API keys, which as many statements refuse where there is no such account', async () => {
    let guesses = 0;
    const statements = async (email: string) => {
      const authorization = basic(email, `${++guesses}`.padStart(32, 'A'));
      const refuse = async () => expect((await get('/api/v1/users/me', { authorization })).statusCode).toBe(401);
      return countStatements(world, refuse);
    };
    // Whether there is such an account is known from before.
    const again = async (email: string) => [await statements(email), await statements(email)][1];
    const known = await again(world.max.email);
    expect(known).toBeGreaterThan(0);
    expect(await again('nobody@roost.test')).toBe(known);
  });

  it('API keys in addresses of files', async () => {
    const { url } = await world.max.upload('plan.txt', 'the plan');
    compared.times = 0;
    expect((await get(`${url}?api_key=${world.max.apiKey}`)).body).toBe('the plan');
    expect(compared.times).toBeGreaterThan(0);
  });

  it('keys of incoming webhooks', async () => {
    const { api_key } = await world.max.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
    const post = (key: string) => world.spectator.request('POST', `/external/slack_incoming?api_key=${key}`);
    // Which key is meant is looked up by its digest; what is found is compared.
    expect((await post(WRONG)).status).toBe(401);
    compared.times = 0;
    expect((await post(api_key)).status).not.toBe(401);
    expect(compared.times).toBeGreaterThan(0);
  });

  it('signatures of what services post', async () => {
    const bot = { full_name: 'Signed', short_name: 'signed', bot_type: 2 };
    const { api_key } = await world.max.post('/bots', bot);
    const body = Buffer.from('{"zen":"Keep it logically awesome."}');
    const post = (signature: string) =>
      world.server.listener.inject({
        method: 'POST',
        url: `/api/v1/external/github?api_key=${api_key}&webhook_secret=our%20secret`,
        headers: {
          host: 'localhost:9991',
          'content-type': 'application/json',
          'x-github-event': 'ping',
          'x-hub-signature-256': signature,
        },
        payload: body,
      });
    const right = `sha256=${crypto.createHmac('sha256', 'our secret').update(body).digest('hex')}`;
    const times = async (signature: string) => {
      compared.times = 0;
      return [(await post(signature)).json().msg, compared.times];
    };
    const [, ofRight] = await times(right);
    // One comparison of the key, and one of the signature.
    expect(await times(`sha256=${'0'.repeat(64)}`)).toEqual(['Webhook signature verification failed.', 2]);
    // And one of the key when the message is stored.
    expect(ofRight).toBe(3);
  });

  it('tokens of directories, which are looked up by their hash: nothing is compared that would tell', async () => {
    const { secret } = await world.olive.post('/realm/scim_tokens', { name: 'Directory' });
    const statusOf = async (token: string) =>
      (await get('/scim/v2/ServiceProviderConfig', { authorization: `Bearer ${token}` })).statusCode;
    expect(await statusOf(secret)).toBe(200);
    expect(await statusOf(`${String(secret).slice(0, -1)}!`)).toBe(401);
    const rows = await world.server.context.store.query((tx) => tx.db.selectFrom('scim_token').selectAll().execute());
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(String(secret).slice(0, 12));
  });

  it('tokens of forms and of sessions', async () => {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: 'owner@roost.test', password: 'guessed', csrfmiddlewaretoken: WRONG });
    expect(compared.times).toBe(1);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: 'owner@roost.test', password: 'roost-demo-password' });
    compared.times = 0;
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await world.server.listener.inject({
      method: 'POST',
      url: '/json/users/me/status',
      headers: { cookie, host: 'localhost:9991', 'x-csrftoken': WRONG },
    });
    expect(reply.statusCode).toBe(403);
    expect(compared.times).toBe(1);
  });

  it('temporary addresses of files', async () => {
    const { url } = await world.max.upload('plan.txt', 'the plan');
    const { url: temporary } = await world.max.get(url);
    const forged = String(temporary).replace(/\.[\w-]{43}\//, `.${'A'.repeat(43)}/`);
    expect(forged).not.toBe(temporary);
    compared.times = 0;
    expect((await get(forged)).body).not.toContain('the plan');
    expect(compared.times).toBe(1);
  });
});
