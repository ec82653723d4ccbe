import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceKeysSlice } from '#features/device-keys';
import { codeOf } from '../../../test/support/authenticator.ts';
import { Visitor } from '../../../test/support/browser-client.ts';
import { type Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const PASSWORD = 'roost-demo-password';
const SETUP = '/accounts/second-factor/setup/';
const KEYS = '/users/me/api_keys';

describe.each(databases)('keys of devices, on %s', (database) => {
  let world: World;
  let olive: Client;
  let max: Client;
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    ({ olive, max } = world);
    world.server.context.jobs.start(world.server.context);
  });
  afterAll(() => world.close());

  const withKey = ({ email, userId: user_id }: Client, api_key: string) =>
    new Client(world.server, { email, user_id, api_key });
  const make = async (owner: Client, values: object = {}): Promise<Body & { client: Client }> => {
    const made = await owner.post(KEYS, { name: 'My phone', ...values });
    return { ...made, client: withKey(owner, made.secret) };
  };
  const one = async (owner: Client, id: number) =>
    (await owner.get(KEYS)).api_keys.find((key: Body) => key['id'] === id);
  const codeOfAnswer = async (client: Client, ...asked: Parameters<Client['request']>) => {
    const { status, body } = await client.request(...asked);
    return [status, body['code']];
  };
  const fetchKey = async (password: string, username = max.email) =>
    (await world.spectator.request('POST', '/fetch_api_key', { username, password })).body;

  it('do what their owner may, beside the key of the account, and are named, dated and told of by mail', async () => {
    const { id, secret, client } = await make(max, { name: ' My phone ', days: 30 });
    expect(secret).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(secret).not.toBe(max.apiKey);
    expect((await client.get('/users/me')).user_id).toBe(max.userId);
    expect((await max.get('/users/me')).user_id).toBe(max.userId);
    const now = world.clock.now();
    expect(await one(max, id)).toEqual({
      id,
      kind: 'device',
      name: 'My phone',
      scope: 'all',
      created_at: now,
      ends_at: now + 30 * 86_400,
      last_used_at: now,
      last_address: '127.0.0.1',
    });
    expect(JSON.stringify(await max.get(KEYS))).not.toContain(secret);
    await expect.poll(() => writtenMails(world.dataDir).some((mail) => mail.includes('My phone'))).toBe(true);
  });

  it('count with the address of their owner only, in the query too, and never in another letter case', async () => {
    const { secret } = await make(max);
    const asMia = withKey(world.mia, secret);
    expect(await codeOfAnswer(asMia, 'GET', '/users/me')).toEqual([401, 'INVALID_API_KEY']);
    const swapped = secret.replaceAll(/[A-Za-z]/g, (letter: string) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expect(await codeOfAnswer(withKey(max, swapped), 'GET', '/users/me')).toEqual([401, 'INVALID_API_KEY']);
    const file = await world.server.listener.inject({ url: `/personal_data?api_key=${secret}` });
    expect(file.statusCode).not.toBe(200);
  });

  it('are revoked one by one, by their owner only, and end their polls', async () => {
    const [first, second] = [await make(max), await make(max)];
    expect(await codeOfAnswer(world.mia, 'DELETE', `${KEYS}/${first.id}`)).toEqual([400, 'BAD_REQUEST']);
    await first.client.get('/users/me');
    const queue = await first.client.register();
    await max.delete(`${KEYS}/${first.id}`);
    expect(await codeOfAnswer(first.client, 'GET', '/users/me')).toEqual([401, 'INVALID_API_KEY']);
    await expect(queue.events()).rejects.toThrow();
    expect((await second.client.get('/users/me')).user_id).toBe(max.userId);
    expect((await max.get('/users/me')).user_id).toBe(max.userId);
    expect(await codeOfAnswer(max, 'DELETE', `${KEYS}/${first.id}`)).toEqual([400, 'BAD_REQUEST']);
  });

  it('make no further keys, and do nothing by which the account could be taken over', async () => {
    const { client } = await make(olive);
    const acts: readonly Parameters<Client['request']>[] = [
      ['POST', KEYS, { name: 'another' }],
      ['POST', '/users/me/api_key'],
      ['POST', '/users/me/api_key/regenerate'],
      ['PATCH', '/settings', { email: 'elsewhere@roost.test' }],
      ['PATCH', `/users/${max.userId}`, { role: 100 }],
      ['POST', '/export/realm'],
      ['POST', '/realm/deactivate'],
    ];
    for (const act of acts) expect(await codeOfAnswer(client, ...act)).toEqual([403, 'KEY_SCOPE']);
    expect((await olive.get(`/users/${max.userId}`)).user.role).toBe(400);
    // The ground: the key of the account may.
    expect((await olive.post('/users/me/api_key')).api_key).toBe(olive.apiKey);
    await client.patch(`/users/${max.userId}`, { full_name: 'Max Member' });
  });

  it('only read where they are for reading, and never see keys of bots', async () => {
    await max.post('/bots', { full_name: 'Gardener', short_name: 'gardener', bot_type: 1 });
    const { client } = await make(max, { scope: 'read' });
    expect((await client.get('/users/me')).user_id).toBe(max.userId);
    expect(await codeOfAnswer(client, 'PATCH', '/settings', { enter_sends: true })).toEqual([403, 'KEY_SCOPE']);
    expect(await codeOfAnswer(client, 'POST', '/users/me/status', { status_text: 'x' })).toEqual([403, 'KEY_SCOPE']);
    expect(await codeOfAnswer(client, 'GET', '/bots')).toEqual([403, 'KEY_SCOPE']);
    const state = await client.post('/register');
    expect(state['realm_bots']).toBeUndefined();
    expect(state['realm_users']).toBeDefined();
    expect((await client.post('/register', { fetch_event_types: ['realm_bot'] }))['realm_bots']).toBeUndefined();
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] });
    await max.post('/messages', { type: 'channel', to: 'garden', topic: 'soil', content: 'wet' });
    const { events } = await client.get('/events', {
      queue_id: state['queue_id'],
      last_event_id: state['last_event_id'],
      dont_block: true,
    });
    expect(events.map(({ type }: Body) => type)).toContain('message');
    const upload = await world.server.listener.inject({
      method: 'POST',
      url: '/api/v1/tus/',
      headers: { authorization: client.authorization, 'tus-resumable': '1.0.0', 'upload-length': '1' },
    });
    expect(upload.statusCode).toBeGreaterThanOrEqual(400);
    // The ground: the account's own key sees them.
    expect((await max.get('/bots')).bots[0].api_key).toHaveLength(32);
  });

  it('end at their time', async () => {
    const { client, id } = await make(max, { days: 1 });
    world.clock.advance(86_399_000);
    expect((await client.get('/users/me')).user_id).toBe(max.userId);
    world.clock.advance(1000);
    expect(await codeOfAnswer(client, 'GET', '/users/me')).toEqual([401, 'INVALID_API_KEY']);
    expect(await one(max, id)).toBeUndefined();
  });

  it('write their uses once a minute for all, and not at each request', async () => {
    const { client, id } = await make(max);
    await client.get('/users/me');
    const written = () =>
      world.server.context.store.read((tx) =>
        tx.db.selectFrom('device_key_use').selectAll().where('key_id', '=', id).execute(),
      );
    expect(await written()).toEqual([]);
    const stop = deviceKeysSlice.background?.(world.server.context);
    world.clock.advance(60_000);
    await expect.poll(written).toHaveLength(1);
    await stop?.();
    const used = world.clock.now();
    await client.get('/users/me');
    expect((await one(max, id)).last_used_at).toBe(used);
  });

  it('are no more than fifty, and end with the account', async () => {
    const { userId } = await world.user();
    const row = await world.server.context.store.read((tx) =>
      tx.db
        .selectFrom('user')
        .selectAll()
        .where('id', '=', userId as never)
        .executeTakeFirstOrThrow(),
    );
    const owner = world.clientOf(row);
    const [first] = await Promise.all(Array.from({ length: 50 }, () => make(owner)));
    const refused = await owner.request('POST', KEYS, { name: 'one more' });
    expect(refused.body['msg']).toContain('50 API keys');
    await world.olive.delete(`/users/${userId}`);
    expect(await codeOfAnswer(first?.client ?? owner, 'GET', '/users/me')).toEqual([401, 'USER_DEACTIVATED']);
  });

  it.each([
    ['no name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(61) }],
    ['another kind', { key_kind: 'password' }],
    ['another scope', { scope: 'write' }],
    ['no days', { days: 0 }],
    ['too many days', { days: 3651 }],
  ])('are refused with %s', async (_what, values) => {
    expect((await max.request('POST', KEYS, { name: 'x', ...values })).status).toBe(400);
  });

  describe('as app passwords', () => {
    it('give a key of their own for the address and themselves, always the same, in any letter case', async () => {
      const { id, secret } = await make(max, { key_kind: 'app_password', scope: 'read' });
      expect(secret).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/);
      const given = await fetchKey(secret);
      expect(given).toMatchObject({ email: max.email, user_id: max.userId });
      expect(given['api_key']).not.toBe(max.apiKey);
      expect(await fetchKey(secret.toUpperCase().replaceAll('-', ' '))).toMatchObject({ api_key: given['api_key'] });
      const client = withKey(max, given['api_key']);
      expect((await client.get('/users/me')).user_id).toBe(max.userId);
      expect(await codeOfAnswer(client, 'PATCH', '/settings', { enter_sends: true })).toEqual([403, 'KEY_SCOPE']);
      expect(await fetchKey(secret, world.mia.email)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
      await max.delete(`${KEYS}/${id}`);
      expect(await fetchKey(secret)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
      expect(await codeOfAnswer(client, 'GET', '/users/me')).toEqual([401, 'INVALID_API_KEY']);
    });

    it('open no page of the browser', async () => {
      const { secret } = await make(max, { key_kind: 'app_password' });
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      const answer = await visitor.post('/login/', { username: max.email, password: secret });
      expect(answer.status).toBe(401);
    });

    it('work where a second factor is asked for, and the password alone does not', async () => {
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      await visitor.post('/login/', { username: olive.email, password: PASSWORD });
      const page = (await visitor.get(SETUP)).text;
      const totp = /class="address">([A-Z2-7]{32})</.exec(page)?.[1] ?? '';
      const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? '';
      await visitor.post(SETUP, { setup, password: PASSWORD, code: codeOf(totp, world.clock.nowMs()) });
      const { secret } = await make(olive, { key_kind: 'app_password' });
      expect(await fetchKey(PASSWORD, olive.email)).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
      expect(await fetchKey(secret, olive.email)).toMatchObject({ user_id: olive.userId });
    });
  });
});

describe.each(databases)('keys and app passwords, on %s', (database) => {
  it('are guessed no oftener than passwords', async () => {
    const world = await openWorld(database, { rateLimits: 'on' });
    const { max } = world;
    const { secret } = await max.post(KEYS, { name: 'old phone', key_kind: 'app_password' });
    const guess = async (password: string) =>
      (await world.spectator.request('POST', '/fetch_api_key', { username: max.email, password })).body['code'];
    for (let turn = 0; turn < 5; turn++)
      expect(await guess(`aaaa-bbbb-cccc-dddd-eee${turn + 2}`)).toBe('AUTHENTICATION_FAILED');
    expect(await guess(secret)).toBe('RATE_LIMIT_HIT');
    await world.close();
  });

  it('are over with a new password of the account', async () => {
    const world = await openWorld(database);
    const { olive } = world;
    const { secret } = await olive.post(KEYS, { name: 'phone' });
    const client = new Client(world.server, { email: olive.email, user_id: olive.userId, api_key: secret });
    await client.get('/users/me');
    await olive.patch('/settings', { old_password: PASSWORD, new_password: 'another long sentence' });
    expect((await client.request('GET', '/users/me')).status).toBe(401);
    await world.close();
  });
});
