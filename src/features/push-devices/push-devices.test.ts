import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countUndelivered } from '#features/undelivered';
import { TestClock } from '#kernel/clock';
import { databases } from '../../../test/support/databases.ts';
import { Phone } from '../../../test/support/phone.ts';
import { PushGateway, tokenIdOf } from '../../../test/support/push-gateway.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { Client } from '../../../test/support/client.ts';

const EMPTY = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};
const newKey = () => Buffer.concat([Buffer.from([0x31]), randomBytes(32)]).toString('base64');

describe.each(databases)('push devices on %s', (database) => {
  const clock = new TestClock();
  const now = () => clock.now();
  let gateway: PushGateway;
  let world: World;
  beforeAll(async () => {
    gateway = await PushGateway.open(now);
    world = await openWorld(database, { clock, environment: { ROOST_PUSH_GATEWAY_URL: gateway.url } });
  });
  afterAll(async () => {
    await world.close();
    await gateway.close();
  });

  const jobs = async () => {
    world.server.context.jobs.start(world.server.context);
    world.server.context.jobs.wake();
    await world.server.context.jobs.idle();
  };
  const devicesOf = async (user: Client) =>
    (await user.register({ fetch_event_types: ['device'] })).state['devices'] as Record<string, object>;
  const refusal = async (user: Client, fields: object) =>
    (await user.refused('POST', '/mobile_push/register', { ...fields })).msg;

  it('come and go, known to their user alone (protocol/push#devices)', async () => {
    const { max, mia } = world;
    const [own, other] = [await max.register(), await mia.register()];
    const { device_id } = await max.post('/register_client_device');
    const stray = device_id + 1000;
    expect((await mia.refused('POST', '/remove_client_device', { device_id })).msg).toBe('Invalid `device_id`');
    expect((await max.refused('POST', '/remove_client_device', { device_id: stray })).msg).toBe('Invalid `device_id`');
    expect(await devicesOf(max)).toEqual({ [device_id]: EMPTY });
    expect(await devicesOf(mia)).toEqual({});
    await max.post('/remove_client_device', { device_id });
    expect(await devicesOf(max)).toEqual({});
    expect(await own.events()).toMatchObject([
      { type: 'device', op: 'add', device_id },
      { type: 'device', op: 'remove', device_id },
    ]);
    expect(await other.events()).toEqual([]);
  });

  it('are at most a hundred of a person: a further one replaces the oldest (protocol/push#devices)', async () => {
    const person = await world.user();
    const ids: number[] = [];
    for (let count = 0; count < 100; count++) ids.push((await person.post('/register_client_device')).device_id);
    const [events] = await expectSync([person], () => person.post('/register_client_device'), { fields: ['devices'] });
    expect(events).toMatchObject([
      { type: 'device', op: 'add' },
      { type: 'device', op: 'remove', device_id: ids[0] },
    ]);
    const left = Object.keys(await devicesOf(person)).map(Number);
    expect(left).toHaveLength(100);
    expect(left).toEqual(expect.arrayContaining(ids.slice(1)));
  });

  it('are for people: bots and spectators are refused', async () => {
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: null });
    const paths = ['/register_client_device', '/mobile_push/register', '/mobile_push/test_notification'];
    for (const path of paths) {
      expect((await bot.refused('POST', path)).msg).toBe('This endpoint does not accept bot requests.');
      expect((await world.spectator.refused('POST', path)).status).toBe(401);
    }
  });

  it('are registered before the push service is asked, which then accepts (protocol/push#registering)', async () => {
    const { max, mia } = world;
    const phone = new Phone(gateway, now);
    const { device_id } = await max.post('/register_client_device');
    phone.deviceId = device_id;
    await max.post('/users/me/apns_device_token', { token: phone.token, appid: 'test.roost' });
    await mia.post('/users/me/apns_device_token', { token: phone.token, appid: 'test.roost' });
    const [own, other] = [await max.register(), await mia.register()];
    const token_id = tokenIdOf(phone.token);
    const fields = { device_id, ...phone.keyFields(), ...(await phone.tokenFields()) };
    const [law] = await expectSync([max], () => max.post('/mobile_push/register', fields), { fields: ['devices'] });
    const asked = {
      type: 'device',
      op: 'update',
      device_id,
      push_key_id: phone.keyId,
      pending_push_token_id: token_id,
      push_token_last_updated_timestamp: now(),
      push_registration_error_code: null,
    };
    expect(law).toEqual([{ id: expect.any(Number), ...asked }]);
    expect(await refusal(max, fields)).toBe('A registration for the device already in progress.');
    gateway.seen.splice(0);
    await expectSync([max], jobs, { fields: ['devices'] });
    const { realm_uuid } = (await max.register({ fetch_event_types: ['realm'] })).state;
    expect(gateway.takeSeen('/e2ee/register')).toEqual([
      {
        realm_uuid,
        token_id,
        bouncer_public_key: fields.bouncer_public_key,
        encrypted_push_registration: fields.encrypted_push_registration,
      },
    ]);
    expect(await own.events()).toEqual([
      { id: expect.any(Number), ...asked },
      {
        id: expect.any(Number),
        type: 'device',
        op: 'update',
        device_id,
        push_token_id: token_id,
        pending_push_token_id: null,
      },
    ]);
    expect(await other.events()).toEqual([]);
    // The older registration of the same token is gone, that of somebody else is not.
    const gone = await max.refused('POST', '/mobile_push/test_notification', { token: phone.token });
    expect(gone).toMatchObject({ code: 'INVALID_PUSH_DEVICE_TOKEN', msg: 'Device not recognized' });
    await mia.post('/mobile_push/test_notification', { token: phone.token });
    // Once more changes nothing.
    await max.post('/mobile_push/register', { device_id, ...phone.keyFields(), ...(await phone.tokenFields()) });
    await max.post('/mobile_push/register', { device_id, ...(await phone.tokenFields()) });
    await max.post('/mobile_push/register', { device_id, ...phone.keyFields() });
    await jobs();
    expect(gateway.takeSeen('/e2ee/register')).toEqual([]);
    expect(await own.events()).toEqual([]);
    await max.post('/mobile_push/e2ee/test_notification', { device_id });
    expect(await phone.read()).toEqual([
      {
        type: 'test',
        user_id: max.userId,
        realm_name: 'Roost Test',
        realm_url: 'http://localhost:9991',
        time: now(),
      },
    ]);
  });

  it('get another key or another token alone (protocol/push#registering)', async () => {
    const { adam } = world;
    const phone = await new Phone(gateway, now).register(adam);
    await jobs();
    const queue = await adam.register();
    const { deviceId: device_id } = phone;
    phone.key = newKey();
    phone.keyId = 7;
    await adam.post('/mobile_push/register', { device_id, ...phone.keyFields(), token_kind: 'fcm' });
    expect(await queue.events()).toEqual([
      { id: expect.any(Number), type: 'device', op: 'update', device_id, push_key_id: 7 },
    ]);
    await adam.post('/mobile_push/e2ee/test_notification');
    expect(await phone.read()).toMatchObject([{ type: 'test' }]);
    phone.token = randomBytes(32).toString('hex');
    await adam.post('/mobile_push/register', { device_id, ...(await phone.tokenFields()) });
    await jobs();
    expect(await queue.events()).toMatchObject([
      { device_id, pending_push_token_id: tokenIdOf(phone.token), push_registration_error_code: null },
      { device_id, push_token_id: tokenIdOf(phone.token), pending_push_token_id: null },
    ]);
    await adam.post('/mobile_push/e2ee/test_notification');
    expect(await phone.read()).toMatchObject([{ type: 'test' }]);
  });

  it('are refused in the order of protocol/push#registering', async () => {
    const { gus, mia } = world;
    const { device_id } = await gus.post('/register_client_device');
    const phone = new Phone(gateway, now);
    const token = await phone.tokenFields();
    const decode = (fields: object) => refusal(gus, { device_id: 0, ...fields });
    expect(await refusal(gus, {})).toBe("Missing 'device_id' argument");
    for (const push_key_id of [-1, 2 ** 32])
      expect(await decode({ push_key_id })).toBe(
        'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer',
      );
    expect(await decode({ push_key_id: 'x' })).toBe('push_key_id is not valid JSON');
    expect(await decode({ token_kind: 'gcm' })).toBe(
      'Invalid token_kind: Value error, Not in the list of possible values',
    );
    expect(await refusal(mia, { device_id })).toBe('Invalid `device_id`');
    const incomplete = 'Missing parameters: must provide either all push key fields, all token fields, or both.';
    expect(await refusal(gus, { device_id })).toBe(incomplete);
    expect(await refusal(gus, { device_id, push_key: phone.key, token_id: 'x' })).toBe(incomplete);
    expect(await refusal(gus, { device_id, push_key_id: 2, push_key: 'bad' })).toBe(
      'No push registration exists to rotate key for.',
    );
    expect(await refusal(gus, { device_id, ...token, token_id: 'no base64' })).toBe('Invalid `token_id`');
    const bad = ['bad', '', Buffer.alloc(33, 0x32).toString('base64'), Buffer.alloc(32, 0x31).toString('base64')];
    for (const push_key of bad)
      expect(await refusal(gus, { device_id, ...token, push_key, push_key_id: 1 })).toBe('Invalid `push_key`');
    expect(await refusal(gus, { device_id, ...token })).toBe('No push registration exists to rotate token for.');
    expect(await devicesOf(gus)).toEqual({ [device_id]: EMPTY });
    gateway.failNext('/e2ee/register', 500);
    await gus.post('/mobile_push/register', { device_id, ...token, push_key: phone.key, push_key_id: 2 ** 32 - 1 });
    expect(await refusal(gus, { device_id, push_key: 'bad', push_key_id: 1 })).toBe('Invalid `push_key`');
    expect(await refusal(gus, { device_id, ...token, token_id: 'no base64' })).toBe(
      'A registration for the device already in progress.',
    );
    await jobs();
    clock.advance(10_000);
    await jobs();
  });

  it('are asked for once, when two clients ask at once', async () => {
    const { mona } = world;
    const phone = new Phone(gateway, now);
    const { device_id } = await mona.post('/register_client_device');
    const fields = { device_id, ...phone.keyFields(), ...(await phone.tokenFields()) };
    const queue = await mona.register();
    const replies = await Promise.all([1, 2].map(() => mona.request('POST', '/mobile_push/register', fields)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    // The registration may be done by now, of which a second event tells.
    const begun = (await queue.events()).filter((event) => event['pending_push_token_id'] !== null);
    expect(begun).toHaveLength(1);
    await jobs();
  });

  it('keep an error that is final, and may try again (protocol/push#registering)', async () => {
    const user = await world.user();
    const phone = new Phone(gateway, now);
    const { device_id } = await user.post('/register_client_device');
    const queue = await user.register();
    const token = await phone.tokenFields();
    const keys = phone.keyFields();
    const outcome = async (fields: object) => {
      await user.post('/mobile_push/register', { device_id, ...keys, ...fields });
      await jobs();
      return (await queue.events()).at(-1)?.['push_registration_error_code'];
    };
    expect(await outcome({ ...token, bouncer_public_key: 'b3RoZXI=' })).toBe('INVALID_BOUNCER_PUBLIC_KEY');
    expect(await outcome(await phone.tokenFields(now() - 90_000))).toBe('REQUEST_EXPIRED');
    expect(await outcome({ ...token, encrypted_push_registration: 'b3RoZXI=' })).toBe('BAD_REQUEST');
    expect(await devicesOf(user)).toMatchObject({
      [device_id]: { pending_push_token_id: token.token_id, push_registration_error_code: 'BAD_REQUEST' },
    });
    const none = await user.refused('POST', '/mobile_push/e2ee/test_notification');
    expect(none).toMatchObject({ code: 'NO_ACTIVE_PUSH_DEVICE', msg: 'No active registered push device' });
    expect(await outcome(token)).toBeUndefined();
    await user.post('/mobile_push/e2ee/test_notification', { device_id });
    expect(await phone.read()).toHaveLength(1);
  });

  it('are brought to the push service again while that is away, until the registration is too old', async () => {
    const user = await world.user();
    const phone = new Phone(gateway, now);
    gateway.failNext('/e2ee/register');
    gateway.failNext('/e2ee/register', 500);
    gateway.failNext('/e2ee/register', 403, 'MISSING_REMOTE_REALM', 'Organization not registered');
    await phone.register(user);
    const { deviceId } = phone;
    gateway.seen.splice(0);
    for (let tries = 0; tries < 3; tries++) {
      await jobs();
      expect(await devicesOf(user)).toMatchObject({ [deviceId]: { push_token_id: null } });
      clock.advance(20_000);
    }
    await jobs();
    expect(await devicesOf(user)).toMatchObject({ [deviceId]: { push_token_id: tokenIdOf(phone.token) } });
    expect(gateway.takeSeen('/e2ee/register')).toHaveLength(4);
    gateway.failNext('/e2ee/register', 500);
    phone.token = 'another';
    await user.post('/mobile_push/register', { device_id: deviceId, ...(await phone.tokenFields()) });
    await jobs();
    gateway.failNext('/e2ee/register', 500);
    clock.advance(90_000_000);
    await jobs();
    expect(await devicesOf(user)).toMatchObject({ [deviceId]: { push_registration_error_code: 'REQUEST_EXPIRED' } });
  });

  it('that are gone before the push service answers stay gone', async () => {
    const user = await world.user();
    const phone = await new Phone(gateway, now).register(user);
    await user.post('/remove_client_device', { device_id: phone.deviceId });
    const queue = await user.register();
    await jobs();
    expect(await devicesOf(user)).toEqual({});
    expect(await queue.events()).toEqual([]);
  });

  it('lose a token that the push service knows no more', async () => {
    const user = await world.user();
    const phone = await new Phone(gateway, now).register(user);
    await jobs();
    gateway.uninstall(phone.token);
    const queue = await user.register();
    await user.post('/mobile_push/e2ee/test_notification');
    expect(await queue.events()).toEqual([
      { id: expect.any(Number), type: 'device', op: 'update', device_id: phone.deviceId, push_token_id: null },
    ]);
  });

  it('tell who tries them what is wrong with the push service (protocol/push#devices)', async () => {
    const user = await world.user();
    const phone = await new Phone(gateway, now).register(user);
    await jobs();
    await world.max.post('/users/me/android_gcm_reg_id', { token: 'old-phone' });
    await jobs();
    const cases = [
      ['/mobile_push/e2ee/test_notification', '/e2ee/notify', user],
      ['/mobile_push/test_notification', '/test_notification', world.max],
    ] as const;
    for (const [path, asked, client] of cases) {
      gateway.failNext(asked);
      expect((await client.request('POST', path)).body['code']).toBe('FAILED_TO_CONNECT_BOUNCER');
      gateway.failNext(asked, 500);
      const broken = await client.request('POST', path);
      expect([broken.status, broken.body['code']]).toEqual([502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER']);
      gateway.failNext(asked, 403, 'MISSING_REMOTE_REALM');
      const refused = await client.request('POST', path);
      expect([refused.status, refused.body['code']]).toEqual([403, 'ADMIN_ACTION_REQUIRED']);
    }
    const code = 'INVALID_REMOTE_PUSH_DEVICE_TOKEN';
    gateway.failNext('/test_notification', 400, code, 'Device not recognized by the push bouncer');
    const unknown = await world.max.refused('POST', '/mobile_push/test_notification');
    expect(unknown).toMatchObject({ status: 400, code });
    expect(await phone.read()).toEqual([]);
  });

  it('of the older kind are forwarded, and unknown ones left to the push service (protocol/push#older-tokens)', async () => {
    const { olive } = world;
    await jobs();
    gateway.seen.splice(0);
    await olive.post('/users/me/android_gcm_reg_id', { token: 'green' });
    await olive.post('/users/me/android_gcm_reg_id', { token: 'green' });
    await jobs();
    const user_uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const { realm_uuid } = (await olive.register({ fetch_event_types: ['realm'] })).state;
    const owner = { realm_uuid, user_uuid, user_id: String(olive.userId) };
    expect(gateway.takeSeen('/register')).toEqual([{ ...owner, token: 'green', token_kind: '2' }]);
    await olive.delete('/users/me/android_gcm_reg_id', { token: 'green' });
    await jobs();
    expect(gateway.takeSeen('/unregister')).toEqual([{ ...owner, token: 'green', token_kind: '2' }]);
    const unknown = await olive.refused('DELETE', '/users/me/android_gcm_reg_id', { token: 'green' });
    expect(unknown.msg).toBe('Token does not exist');
    expect(gateway.takeSeen('/unregister')).toHaveLength(1);
  });

  it('of the older kind are at most a hundred of a person (protocol/push#older-tokens)', async () => {
    const person = await world.user();
    for (let count = 0; count <= 100; count++)
      await person.post('/users/me/android_gcm_reg_id', { token: `token ${count}` });
    expect((await person.get('/push_phones'))['phones']).toHaveLength(100);
    gateway.seen.splice(0);
    await jobs();
    expect(gateway.takeSeen('/unregister')).toMatchObject([{ user_id: String(person.userId), token: 'token 0' }]);
    // The push service has it no more either.
    const gone = await person.refused('DELETE', '/users/me/android_gcm_reg_id', { token: 'token 0' });
    expect(gone.msg).toBe('Token does not exist');
    await person.delete('/users/me/android_gcm_reg_id', { token: 'token 1' });
  });

  it('go with the key that their clients had (protocol/authentication#api-key)', async () => {
    const person = await world.user();
    const phone = await new Phone(gateway, now).register(person);
    await person.post('/users/me/android_gcm_reg_id', { token: 'older' });
    await jobs();
    gateway.seen.splice(0);
    const { api_key } = await person.post('/users/me/api_key/regenerate');
    await jobs();
    expect(gateway.takeSeen('/unregister/all')).toMatchObject([{ user_id: String(person.userId) }]);
    const renewed = world.clientOf({ id: person.userId, email: person.email, api_key_version: 2 });
    expect(renewed.apiKey).toBe(api_key);
    expect(await devicesOf(renewed)).toEqual({});
    expect((await renewed.refused('POST', '/mobile_push/e2ee/test_notification')).code).toBe('NO_ACTIVE_PUSH_DEVICE');
    expect((await renewed.refused('POST', '/mobile_push/test_notification', { token: 'older' })).code).toBe(
      'INVALID_PUSH_DEVICE_TOKEN',
    );
    expect(await phone.read()).toEqual([]);
  });

  it('end with the device key of their client, and with no other (protocol/push#devices)', async () => {
    const person = await world.user();
    const made = async (days: number | null = null): Promise<{ readonly id: number; readonly client: Client }> => {
      const { id, secret } = await person.post('/users/me/api_keys', { name: 'phone', days });
      const account = { email: person.email, user_id: person.userId, api_key: secret };
      return { id, client: new Client(world.server, account) };
    };
    const [lost, kept, over] = [await made(), await made(), await made(1)];
    const phones: Phone[] = [];
    for (const { client } of [lost, kept, over]) {
      phones.push(await new Phone(gateway, now).register(client));
      await client.post('/users/me/android_gcm_reg_id', { token: `older ${phones.length}` });
    }
    // The same app logged in anew.
    await lost.client.post('/users/me/android_gcm_reg_id', { token: 'moved' });
    await kept.client.post('/users/me/android_gcm_reg_id', { token: 'moved' });
    await jobs();
    gateway.seen.splice(0);
    await person.delete(`/users/me/api_keys/${lost.id}`);
    await jobs();
    expect(gateway.takeSeen('/unregister')).toMatchObject([{ token: 'older 1' }]);
    const left = phones.slice(1).map(({ deviceId }) => String(deviceId));
    expect(Object.keys(await devicesOf(person))).toEqual(left);
    clock.advance(2 * 86_400_000);
    gateway.seen.splice(0);
    await world.mia.post('/messages', { type: 'direct', to: [person.userId], content: 'here' });
    await jobs();
    const shown = await Promise.all(phones.map(async (phone) => (await phone.read()).map(({ content }) => content)));
    expect(shown).toEqual([[], ['here'], []]);
    expect(gateway.takeSeen('/notify')).toMatchObject([{ android_devices: ['older 2', 'moved'] }]);
  });

  it('make the server say that it pushes', async () => {
    expect((await world.spectator.get('/server_settings'))['push_notifications_enabled']).toBe(true);
    const { state } = await world.max.register({ fetch_event_types: ['realm'] });
    expect(state['realm_push_notifications_enabled']).toBe(true);
  });

  it('say to their owner when they were reached, since when not, and why (protocol/push#phones)', async () => {
    const { context } = world.server;
    const ivy = await world.user({ full_name: 'Ivy' });
    const [sealed, older] = [await new Phone(gateway, now).register(ivy), 'f'.repeat(40)];
    await ivy.post('/users/me/android_gcm_reg_id', { token: older });
    await jobs();
    const phones = async () => (await ivy.get('/push_phones'))['phones'];
    const untouched = { delivered_at: null, failing_since: null, failure: null };
    const known = [
      { device_id: sealed.deviceId, kind: 'apns', app_id: null },
      { device_id: null, kind: 'fcm', app_id: null },
    ];
    expect(await phones()).toEqual(known.map((one) => ({ ...one, ...untouched })));
    const somebody = await world.user();
    expect((await somebody.get('/push_phones'))['phones']).toEqual([]);
    const tell = async () => {
      await world.max.post('/messages', { type: 'direct', to: [ivy.userId], content: 'hello' });
      await jobs();
    };
    await tell();
    const delivered_at = clock.now();
    expect(await phones()).toEqual(known.map((one) => ({ ...one, ...untouched, delivered_at })));
    clock.advance(5_000);
    gateway.failNext('/e2ee/notify', 403, 'PUSH_NOTIFICATIONS_DISALLOWED');
    gateway.failNext('/notify');
    await tell();
    const failing_since = clock.now();
    expect(await phones()).toMatchObject([
      { delivered_at, failing_since, failure: 'PUSH_NOTIFICATIONS_DISALLOWED' },
      { delivered_at, failing_since, failure: 'unreachable' },
    ]);
    const day = Math.floor(clock.now() / 86_400);
    const counted = await context.store.query((tx) => countUndelivered(tx, day, 10));
    // Other tests of this file failed on these roads, too.
    expect(counted).toContainEqual({
      road: 'phone',
      reason: 'PUSH_NOTIFICATIONS_DISALLOWED',
      count: 1,
      last_at: failing_since,
    });
    expect(counted.find(({ road }) => road === 'older_phone')).toMatchObject({
      reason: 'unreachable',
      last_at: failing_since,
    });
    const text = await context.metrics.text();
    expect(text).toContain('roost_undelivered_total{road="phone",reason="PUSH_NOTIFICATIONS_DISALLOWED"} 1');
    clock.advance(60_000);
    await jobs();
    await tell();
    expect(await phones()).toMatchObject([{ failure: null }, { failure: null }]);
    gateway.uninstall(sealed.token);
    await tell();
    expect(await phones()).toMatchObject([{ device_id: null }]);
    expect((await context.store.query((tx) => countUndelivered(tx, day, 10))).map(({ reason }) => reason)).toContain(
      'gone',
    );
    await ivy.delete('/users/me/android_gcm_reg_id', { token: older });
    await jobs();
    gateway.takeSeen('/notify');
  });
});

describe.each(databases)('push devices without a push service on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('exist, but are not registered (protocol/push#registering)', async () => {
    const { max } = world;
    const { device_id } = await max.post('/register_client_device');
    for (const path of ['/mobile_push/register', '/mobile_push/e2ee/test_notification']) {
      expect(await max.refused('POST', path, { device_id })).toMatchObject({
        status: 400,
        code: 'PUSH_SERVICE_NOT_CONFIGURED',
        msg: 'Server is not configured to use push notification service.',
      });
    }
    expect((await max.refused('POST', '/mobile_push/register', {})).msg).toBe("Missing 'device_id' argument");
    expect((await max.get('/server_settings'))['push_notifications_enabled']).toBe(false);
  });

  it.each(['apns_device_token', 'android_gcm_reg_id'])(
    'keep tokens of the kind %s (protocol/push#older-tokens)',
    async (kind) => {
      const { max, mia } = world;
      const path = `/users/me/${kind}`;
      const appid = kind === 'apns_device_token' ? { appid: 'org.roost.Test' } : {};
      const queue = await max.register();
      await max.post(path, { token: 'abcd', ...appid });
      await max.post(path, { token: 'abcd', ...appid });
      expect((await mia.refused('DELETE', path, { token: 'abcd' })).msg).toBe('Token does not exist');
      await mia.post(path, { token: 'abcd', ...appid });
      await max.post('/mobile_push/test_notification', { token: 'abcd' });
      await max.delete(path, { token: 'abcd' });
      expect((await max.refused('DELETE', path, { token: 'abcd' })).msg).toBe('Token does not exist');
      expect((await max.refused('POST', '/mobile_push/test_notification', { token: 'abcd' })).msg).toBe(
        'Device not recognized',
      );
      await mia.delete(path, { token: 'abcd' });
      expect(await queue.events()).toEqual([]);
    },
  );

  it.each(['POST', 'DELETE'] as const)(
    'refuse tokens in the order of protocol/push#older-tokens (%s)',
    async (method) => {
      const apns = (fields: object) =>
        world.max.refused(method, '/users/me/apns_device_token', {
          ...(method === 'POST' && { appid: 'a' }),
          ...fields,
        });
      const android = (fields: object) => world.max.refused(method, '/users/me/android_gcm_reg_id', { ...fields });
      expect(await apns({})).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'token' argument" });
      expect(await android({})).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
      for (const token of ['', 'a'.repeat(4097)]) {
        expect(await apns({ token })).toMatchObject({ code: 'BAD_REQUEST', msg: 'Empty or invalid length token' });
        expect((await android({ token })).msg).toBe('Empty or invalid length token');
      }
      expect((await apns({ token: '!?' })).msg).toBe('Invalid APNS token');
      expect((await apns({ token: 'abc' })).msg).toBe('Invalid APNS token');
    },
  );

  it('keep the token of the published example (protocol/push#older-tokens)', async () => {
    await world.max.post('/users/me/apns_device_token', { token: 'apple-tokenbb', appid: 'org.roost.Test' });
    await world.max.delete('/users/me/apns_device_token', { token: 'apple-tokenbb' });
  });

  it('want the name of an app in its form (protocol/push#devices)', async () => {
    const { max } = world;
    const path = '/users/me/apns_device_token';
    expect(await max.refused('POST', path, { token: 'abcd' })).toMatchObject({ var_name: 'appid' });
    expect((await max.refused('POST', path, { token: 'abcd', appid: 'a b' })).msg).toBe('appid has invalid format');
    await max.post(path, { token: 'a'.repeat(4096), appid: 'a' });
  });

  it('take tokens of iOS in hex, as the published example sends one, and in Base64', async () => {
    const path = '/users/me/apns_device_token';
    for (const token of ['c0ffee', 'ab'.repeat(32), 'yv66vg=='] as const) {
      await world.max.post(path, { token, appid: 'org.zulip.Zulip' });
      await world.max.delete(path, { token });
    }
    expect((await world.max.refused('POST', path, { token: 'c0ffe', appid: 'a' })).msg).toBe('Invalid APNS token');
  });
});
