import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerServer, reportToService, sealChallenge, transferServer } from '#features/push-devices';
import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { asId } from '#kernel/ids';
import { openLog } from '#kernel/log';
import { Http2Client } from '#kernel/outbound';
import { parseTokenKey, sealBox } from '#kernel/secretbox';
import type { Body } from '../../../test/support/client.ts';
import { databases, makeDatabase } from '../../../test/support/databases.ts';
import { pause } from '../../../test/support/pause.ts';
import { Phone } from '../../../test/support/phone.ts';
import { APPLE, PhoneMakers } from '../../../test/support/phone-makers.ts';
import { openRaw } from '../../../test/support/raw-connection.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { openServer, type Server } from '../../server.ts';
import { apnsSender, fcmSender, gatewayKeys, parseServiceAccount } from './index.ts';
import { findServer } from './queries.ts';
import { tokenIdOf } from './sealed.ts';
import type { GatewayServerId } from './tables.ts';

const HOST = 'localhost:9991';
const EMAIL = 'it@roost.example';
const MIB = 2 ** 20;

describe.each(databases)('a push gateway of one’s own on %s', (database) => {
  const clock = new TestClock();
  const now = () => clock.now();
  const account = { id: randomUUID(), key: 'k'.repeat(64) };
  let makers: PhoneMakers;
  let http: Http2Client;
  let gateway: Server;
  let base: string;
  let removeGateway: () => Promise<void>;
  let world: World;
  let phone: Phone;

  /** Asks the gateway something as a server would. */
  const ask = async (path: string, body: object | string = {}, { id, key } = account, method = 'POST') => {
    const isForm = typeof body === 'string';
    const reply = await fetch(`${base}/api/v1/remotes${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      ...(method === 'POST' && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as Body };
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };
  const direct = async (content: string): Promise<number> =>
    (await world.mia.post('/messages', { type: 'direct', to: [world.max.userId], content }))['id'];
  const received = async () => {
    await jobs();
    return phone.read();
  };
  const realmUuid = async () => (await world.max.register({ fetch_event_types: ['realm'] })).state['realm_uuid'];

  beforeAll(async () => {
    makers = await PhoneMakers.open();
    http = new Http2Client(clock);
    const key = parseTokenKey(String(makers.apple.privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const google = parseServiceAccount(makers.serviceAccount);
    if (!key || !google) throw new Error('the keys cannot be read');
    const { dataDir, databaseUrl, remove } = await makeDatabase(database);
    const config = readConfig({
      ROOST_DATA_DIR: dataDir,
      ROOST_PORT: '0',
      ROOST_RATE_LIMITS: 'off',
      ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
    });
    const senders = {
      apns: apnsSender({ http, clock }, { key, ...APPLE, url: makers.url }),
      fcm: fcmSender({ http, clock }, google, makers.url),
    };
    const log = openLog('error', { write: (line: string) => process.stderr.write(line) });
    gateway = await openServer({ config, clock, log, strict: true, gateway: { senders, isOpen: true } });
    base = `http://127.0.0.1:${await gateway.start()}`;
    removeGateway = remove;
    makers.publicKey = (await gatewayKeys(gateway.context)).publicKey;
    const url = base.replace('://', `://${account.id}:${account.key}@`);
    world = await openWorld(database, { clock, environment: { ROOST_PUSH_GATEWAY_URL: url } });
    const opened = await registerServer(world.server.context, account, { hostname: HOST, email: EMAIL });
    expect(opened).toEqual({ value: { created: true } });
  });
  beforeEach(async () => {
    makers.answers.clear();
    makers.taken.splice(0);
    phone = await new Phone(makers, now).register(world.max);
    await jobs();
    // The first registration misses the organization, which the gateway is told of then.
    clock.advance(4_000);
    await jobs();
  });
  afterAll(async () => {
    await world.close();
    http.close();
    await gateway.stop();
    await removeGateway();
    await makers.close();
  });

  it('is told of organizations when it misses one, and brings what only the app can read', async () => {
    const id = await direct('by apples');
    expect(await received()).toMatchObject([{ type: 'message', message_id: id, content: 'by apples' }]);
    await world.mia.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await world.max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await jobs();
    const [removal] = makers.taken;
    expect(removal?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    expect(removal?.headers['apns-topic']).toBe('test.roost.app');
    expect(removal?.body['aps']).toEqual({ 'content-available': 1 });
    expect(await phone.read()).toMatchObject([{ type: 'remove', message_ids: [id] }]);
  });

  it('brings notifications to Android by one access token, as texts', async () => {
    const token = 'android:token';
    await world.olive.post('/users/me/android_gcm_reg_id', { token });
    await jobs();
    const id = (await world.mia.post('/messages', { type: 'direct', to: [world.olive.userId], content: 'two' }))['id'];
    await world.mia.post('/messages', { type: 'direct', to: [world.olive.userId], content: 'three' });
    await jobs();
    // Two that are decided together may overtake each other.
    const shown = makers
      .takeInbox(token)
      .toSorted((a, b) => Number(a['zulip_message_id']) - Number(b['zulip_message_id']));
    expect(shown).toMatchObject([
      { event: 'message', zulip_message_id: String(id), content: 'two' },
      { content: 'three' },
    ]);
    for (const value of Object.values(shown[0] ?? {})) expect(typeof value).toBe('string');
    expect(makers.grants).toBe(1);
    await world.olive.post('/mobile_push/test_notification', { token });
    expect(makers.takeInbox(token)).toMatchObject([{ event: 'test', realm_name: 'Roost Test' }]);
    await world.olive.delete('/users/me/android_gcm_reg_id', { token });
    await jobs();
    const again = await world.olive.refused('DELETE', '/users/me/android_gcm_reg_id', { token });
    expect(again.msg).toBe('Token does not exist');
  });

  it('ends a phone at once when its maker knows it no more', async () => {
    makers.answers.set(phone.token, { status: 410, says: { reason: 'Unregistered' } });
    await direct('to nobody');
    await jobs();
    const devices = async () => (await world.max.register({ fetch_event_types: ['device'] })).state['devices'];
    expect((await devices())[phone.deviceId].push_token_id).toBeNull();
    makers.answers.clear();
    await direct('and no more');
    expect(await received()).toEqual([]);
    const token = 'android:gone';
    await world.olive.post('/users/me/android_gcm_reg_id', { token });
    await jobs();
    const details = [{ errorCode: 'UNREGISTERED' }];
    makers.answers.set(token, { status: 404, says: { error: { status: 'NOT_FOUND', details } } });
    await world.mia.post('/messages', { type: 'direct', to: [world.olive.userId], content: 'gone' });
    await jobs();
    expect((await world.olive.refused('POST', '/mobile_push/test_notification', { token })).code).toBe(
      'INVALID_PUSH_DEVICE_TOKEN',
    );
  });

  it('has those tried again whose maker is overloaded, alone, and not what was read meanwhile', async () => {
    const second = await new Phone(makers, now).register(world.max);
    await jobs();
    makers.answers.set(phone.token, { status: 429, says: { reason: 'TooManyRequests' } });
    const first = await direct('later');
    await jobs();
    expect(await second.read()).toMatchObject([{ content: 'later' }]);
    makers.answers.set(phone.token, { status: 503, says: { reason: 'Shutdown' } });
    clock.advance(4_000);
    await jobs();
    expect([await phone.read(), await second.read()]).toEqual([[], []]);
    makers.answers.clear();
    clock.advance(8_000);
    expect(await received()).toMatchObject([{ message_id: first }]);
    expect(await second.read()).toEqual([]);
    makers.answers.set(phone.token, { status: 500, says: {} });
    const read = await direct('read meanwhile');
    await jobs();
    await world.max.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    makers.answers.clear();
    clock.advance(20_000);
    expect(new Set((await received()).map(({ type }) => type))).toEqual(new Set(['remove']));
  });

  it('keeps nobody waiting for a phone whose maker is silent', async () => {
    const second = await new Phone(makers, now).register(world.max);
    await jobs();
    makers.answers.set(phone.token, 'silence');
    await direct('to both');
    const working = jobs();
    await expect.poll(() => second.read(), { timeout: 60_000 }).toMatchObject([{ content: 'to both' }]);
    // What the maker said of the second phone is on its way: the clock must not overtake it.
    await pause(250);
    clock.advance(5_000);
    await working;
    makers.answers.clear();
    clock.advance(8_000);
    expect(await received()).toMatchObject([{ content: 'to both' }]);
    expect(await second.read()).toEqual([]);
  });

  it('refuses who has no account, another key, or ended it', async () => {
    const other = { id: randomUUID(), key: 'x'.repeat(64) };
    expect(await ask('/push/notify', {}, other)).toMatchObject({ status: 400, body: { code: 'INVALID_ZULIP_SERVER' } });
    const wrong = { ...account, key: 'y'.repeat(64) };
    expect((await ask('/server/analytics/status', {}, wrong, 'GET')).body['msg']).toMatch(/key does not match role/);
    const bare = await fetch(`${base}/api/v1/remotes/push/notify`, { method: 'POST' });
    expect(bare.status).toBe(401);
    const { context } = world.server;
    expect(await registerServer(context, other, { hostname: HOST, email: EMAIL })).toMatchObject({
      refusal: { code: 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR' },
    });
    for (const [fields, msg] of [
      [{ ...other, id: 'nothing' }, 'Invalid UUID'],
      [{ ...other, key: 'short' }, 'zulip_org_key has incorrect length 5; should be 64'],
    ] as const)
      expect(await registerServer(context, fields, { hostname: 'a.test', email: EMAIL })).toMatchObject({
        refusal: { msg },
      });
    expect(await registerServer(context, other, { hostname: 'a b', email: EMAIL })).toMatchObject({
      refusal: { msg: 'a b is not a valid hostname' },
    });
    expect(await registerServer(context, other, { hostname: 'a.test', email: 'nobody' })).toMatchObject({
      refusal: { msg: 'Enter a valid email address.' },
    });
    expect(await registerServer(context, other, { hostname: 'a.test', email: EMAIL })).toEqual({
      value: { created: true },
    });
    expect((await ask('/server/deactivate', '', other)).status).toBe(200);
    expect(await ask('/push/unregister/all', form({ user_uuid: 'u' }), other)).toMatchObject({
      status: 401,
      body: { code: 'REALM_DEACTIVATED' },
    });
  });

  it('counts wrong keys before they are looked at, and new accounts, and keeps out no server that was let in before', async () => {
    const { dataDir, databaseUrl, remove } = await makeDatabase(database);
    const config = readConfig({
      ROOST_DATA_DIR: dataDir,
      ROOST_PORT: '0',
      ROOST_RATE_LIMITS: 'on',
      ROOST_TRUSTED_PROXIES: '127.0.0.1',
      ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
    });
    const log = openLog('error', { write: (line: string) => process.stderr.write(line) });
    const gateways = { senders: {}, isOpen: true };
    const limited = await openServer({ config, clock, log, strict: true, gateway: gateways });
    const here = `http://127.0.0.1:${await limited.start()}/api/v1/remotes`;
    const status = async ({ id, key }: { id: string; key: string }, from: string) => {
      const authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
      const headers = { authorization, 'x-forwarded-for': from };
      const reply = await fetch(`${here}/server/analytics/status`, { headers });
      await reply.text();
      return reply.status;
    };
    const register = (key: string, from: string) => open(HOST, from, account.id, key);
    const open = async (hostname: string, from: string, id: string = randomUUID(), key = 'n'.repeat(64)) => {
      const body = form({ zulip_org_id: id, zulip_org_key: key, hostname, contact_email: EMAIL });
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from };
      const reply = await fetch(`${here}/server/register`, { method: 'POST', body, headers });
      return reply.status;
    };
    const guesses = (count: number, from: string) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => status({ id: account.id, key: `${n}`.padEnd(64, 'x') }, from)),
      );
    const taken = (answers: readonly number[]) => answers.filter((answer) => answer === 400).length;
    try {
      expect(await register(account.key, '192.0.2.9')).toBe(200);
      expect(await status(account, '192.0.2.1')).toBe(200);
      expect(taken(await guesses(100, '192.0.2.2'))).toBe(60);
      expect(await status(account, '192.0.2.2')).toBe(429);
      expect(await register('y'.repeat(64), '192.0.2.2')).toBe(429);
      const opened = Array.from({ length: 80 }, (_, n) => open(`${n}.test`, '192.0.2.3'));
      expect((await Promise.all(opened)).filter((answer) => answer === 200)).toHaveLength(20);
      // A server that is there answers for itself alone, and is not kept out by those beside it.
      expect(
        taken(
          await Promise.all(Array.from({ length: 100 }, () => status({ id: randomUUID(), key: 'x' }, '192.0.2.1'))),
        ),
      ).toBe(60);
      expect(await status(account, '192.0.2.1')).toBe(200);
      expect(await Promise.all(Array.from({ length: 100 }, () => status(account, '192.0.2.1')))).toEqual(
        Array(100).fill(200),
      );
      // New phones are counted by network, and long tokens more than once; those that are there are not.
      const { limits } = limited.context;
      for (let count = 0; count < 199_998; count++) await limits.take('gateway-phone', '192.0.2.1');
      const add = async (token: string) => {
        const authorization = `Basic ${Buffer.from(`${account.id}:${account.key}`).toString('base64')}`;
        const headers = { authorization, 'x-forwarded-for': '192.0.2.1' };
        const body = new URLSearchParams({ token, token_kind: '2', user_id: '5' });
        return (await fetch(`${here}/push/register`, { method: 'POST', headers, body })).status;
      };
      const long = 'a'.repeat(600);
      expect([await add(long), await add('short'), await add(long)]).toEqual([200, 429, 200]);
    } finally {
      await limited.stop();
      await remove();
    }
  });

  it('counts what servers send while it comes, and takes no more than all of them may hold', async () => {
    const held = async () =>
      Number(/^roost_held_body_bytes (\d+)/m.exec(await (await fetch(`${base}/metrics`)).text())?.[1] ?? -1);
    const { port } = new URL(base);
    const credentials = Buffer.from(`${account.id}:${account.key}`).toString('base64');
    const sending = Array.from({ length: 20 }, () => openRaw(Number(port)));
    for (const { socket, write } of sending) {
      write(`POST /api/v1/remotes/push/notify HTTP/1.1\nHost: ${HOST}\nAuthorization: Basic ${credentials}\n`);
      write(`Content-Type: application/json\nContent-Length: ${2 * MIB}\n\n`);
      socket.write('x'.repeat(1.9 * MIB));
    }
    try {
      await expect.poll(() => sending.some(({ text }) => text().includes('HTTP/1.1 503'))).toBe(true);
      expect(await held()).toBeGreaterThan(10 * MIB);
      expect(await held()).toBeLessThanOrEqual(24 * MIB);
    } finally {
      for (const { socket } of sending) socket.destroy();
    }
    await Promise.all(sending.map(({ closed }) => closed));
    expect((await ask('/push/notify', `{"x":"${'x'.repeat(2 * MIB)}"}`)).status).toBe(413);
  });

  it('serves nobody whose account ends while a body comes (security#asvs, 7.4.2)', async () => {
    const send = async (act: (of: typeof account) => unknown, name: string) => {
      const own = { id: randomUUID(), key: 'q'.repeat(64) };
      await registerServer(world.server.context, own, { hostname: `${name}.test`, email: EMAIL });
      const { socket, write, until, closed } = openRaw(Number(new URL(base).port));
      const body = form({ realms: '[]' });
      write(`POST /api/v1/remotes/server/analytics HTTP/1.1\nHost: ${HOST}\nConnection: close\nExpect: 100-continue\n`);
      write(`Authorization: Basic ${Buffer.from(`${own.id}:${own.key}`).toString('base64')}\n`);
      write(`Content-Type: application/x-www-form-urlencoded\nContent-Length: ${body.length}\n\n`);
      await until('100 Continue');
      await act(own);
      clock.advance(5_000);
      socket.write(body);
      return Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(await closed)?.[1]);
    };
    expect(await send(() => undefined, 'slow')).toBe(200);
    expect(await send((own) => ask('/server/deactivate', '', own), 'over')).toBe(401);
  });

  it('keeps the organizations and phones of servers apart', async () => {
    const other = { id: randomUUID(), key: 'z'.repeat(64) };
    await registerServer(world.server.context, other, { hostname: 'other.test', email: EMAIL });
    const realm_uuid = await realmUuid();
    const push_requests = [
      { token_id: 'AAAAAAAAAAE=', fcm_priority: 'high', payload: { push_key_id: 1, encrypted_data: 'x' } },
    ];
    expect((await ask('/push/e2ee/notify', { realm_uuid, push_requests }, other)).body['code']).toBe(
      'REMOTE_REALM_SERVER_MISMATCH_ERROR',
    );
    expect((await ask('/push/e2ee/notify', { realm_uuid: randomUUID(), push_requests })).body['code']).toBe(
      'MISSING_REMOTE_REALM',
    );
    const stolen = JSON.stringify([{ uuid: realm_uuid, uuid_owner_secret: 'guess', host: 'o', deactivated: false }]);
    expect((await ask('/server/analytics', form({ realms: stolen }), other)).body['msg']).toBe(
      'Duplicate registration detected.',
    );
    expect((await ask('/push/e2ee/notify', { realm_uuid, push_requests })).body).toMatchObject({
      delete_token_ids: ['AAAAAAAAAAE='],
      retry_token_ids: [],
    });
    expect(
      (await ask('/push/e2ee/notify', { realm_uuid, push_requests: Array(201).fill(push_requests[0]) })).status,
    ).toBe(400);
    expect((await ask('/push/notify', '{')).status).toBe(400);
    expect((await ask('/push/register', form({ token: 'a', token_kind: '3' }))).body['msg']).toBe('Invalid token type');
    expect((await ask('/push/register', form({ token: 'xyz', token_kind: '1' }))).body['msg']).toBe(
      'Invalid APNS token',
    );
    expect((await ask('/push/register', form({ token: 'abcd', token_kind: '1' }))).body['msg']).toBe(
      'Missing ios_app_id',
    );
    expect((await ask('/push/register', form({ token: 'a', token_kind: '2' }))).body['msg']).toBe(
      'Missing user_id or user_uuid',
    );
    expect((await ask('/push/unregister', form({ token: 'a', token_kind: '2', user_id: '1' }))).body['msg']).toBe(
      'Token does not exist',
    );
  });

  it('lets no server end the phones of another by naming another app', async () => {
    const other = { id: randomUUID(), key: 'w'.repeat(64) };
    await registerServer(world.server.context, other, { hostname: 'wrong.test', email: EMAIL });
    const token = 'abcd'.repeat(16);
    const add = (ios_app_id: string, as: typeof account) =>
      ask('/push/register', form({ token, token_kind: '1', ios_app_id, user_id: '7' }), as);
    expect([(await add('right.app', account)).status, (await add('wrong.app', other)).status]).toEqual([200, 200]);
    makers.answers.set(token, { status: 400, says: { reason: 'DeviceTokenNotForTopic' } });
    const notify = async (as: typeof account) =>
      (await ask('/push/notify', { user_id: 7, apns_payload: {} }, as)).body['total_apple_devices'];
    expect(await notify(other)).toBe(1);
    makers.answers.clear();
    expect([await notify(other), await notify(account)]).toEqual([0, 1]);
    // Where the phone itself is gone, it is for all.
    await add('right.app', other);
    makers.answers.set(token, { status: 410, says: { reason: 'Unregistered' } });
    await notify(other);
    expect(await notify(account)).toBe(0);
  });

  it('has at most two hundred phones with older apps of a person: a further one replaces the oldest', async () => {
    for (let count = 0; count <= 200; count++)
      await ask('/push/register', form({ token: `phone ${count}`, token_kind: '2', user_id: '777' }));
    await ask('/push/register', form({ token: 'of another', token_kind: '2', user_id: '778' }));
    const named = { android_devices: ['phone 0', 'phone 1'], only_these_devices: true };
    expect((await ask('/push/notify', { user_id: 777, gcm_payload: {}, ...named })).body).toMatchObject({
      total_android_devices: 200,
      deleted_devices: { android_devices: ['phone 0'] },
    });
    expect((await ask('/push/notify', { user_id: 778, ...named })).body['total_android_devices']).toBe(1);
  });

  it('has at most 300,000 phones and 5,000 organizations of a server, and of no app with an odd name', async () => {
    const full = { id: randomUUID(), key: 'f'.repeat(64) };
    await registerServer(world.server.context, full, { hostname: 'full.test', email: EMAIL });
    const { store } = gateway.context;
    const server_id = (await store.query((tx) => findServer(tx, full.id)))?.id ?? asId<GatewayServerId>(0);
    const realms = (count: number) =>
      Array.from({ length: count }, () => ({
        uuid: randomUUID(),
        uuid_owner_secret: 's',
        host: 'h',
        deactivated: false,
      }));
    const report = async (all: object[]) => ask('/server/analytics', form({ realms: JSON.stringify(all) }), full);
    const first = realms(4_999);
    expect((await report(first)).status).toBe(200);
    expect((await report(realms(2))).body['msg']).toBe('A server may have at most 5000 organizations');
    expect((await report(first)).status).toBe(200);
    expect((await report(realms(1))).status).toBe(200);
    const one = { server_id, realm_uuid: '', owner: 'x', kind: 'fcm' as const, token: 't', app_id: null };
    for (let at = 0; at < 299_999; at += 1_000)
      await store.write((tx) =>
        tx.db
          .insertInto('gateway_device')
          .values(
            Array.from({ length: Math.min(1_000, 299_999 - at) }, (_, n) => ({ ...one, token_id: String(at + n) })),
          )
          .execute(),
      );
    const older = (token: string) => ask('/push/register', form({ token, token_kind: '2', user_id: '9' }), full);
    const sealed = async (more: object) => {
      const token = randomBytes(32).toString('hex');
      const { publicKey } = await gatewayKeys(gateway.context);
      const plain = JSON.stringify({ token, token_kind: 'apns', timestamp: now(), ios_app_id: 'app', ...more });
      const fields = {
        realm_uuid: first[0]?.uuid ?? '',
        token_id: tokenIdOf(token),
        bouncer_public_key: Buffer.from(publicKey).toString('base64'),
        encrypted_push_registration: Buffer.from(await sealBox(publicKey, Buffer.from(plain))).toString('base64'),
      };
      return ask('/push/e2ee/register', form(fields), full);
    };
    for (const ios_app_id of ['a\r\nb: c', 'a'.repeat(256), 'a b'])
      expect((await sealed({ ios_app_id })).body['msg']).toBe('Invalid encrypted_push_registration');
    expect((await older('last')).status).toBe(200);
    expect((await sealed({})).body['code']).toBe('TOO_MANY_PHONES');
    // Who is there can come again, and others have their own room.
    expect([(await older('last')).status, (await older('one too many')).status]).toEqual([200, 400]);
    expect((await ask('/push/register', form({ token: 'o', token_kind: '2', user_id: '9' }))).status).toBe(200);
    await ask('/push/unregister', form({ token: 'last', token_kind: '2', user_id: '9' }), full);
    clock.advance(60_000);
    expect((await sealed({})).status).toBe(200);
  }, 120_000);

  it('takes reports in order, and says which organizations it serves', async () => {
    const before = (await ask('/server/analytics/status', {}, account, 'GET')).body;
    expect((await reportToService(world.server.context)).kind).toBe('accepted');
    const after = (await ask('/server/analytics/status', {}, account, 'GET')).body;
    expect(after['last_realmauditlog_id']).toBeGreaterThan(before['last_realmauditlog_id']);
    const rows = JSON.stringify([{ id: after['last_realmauditlog_id'] }]);
    expect((await ask('/server/analytics', form({ realmauditlog_rows: rows }))).body['msg']).toBe(
      'Data is out of order.',
    );
    const { state } = await world.max.register({ fetch_event_types: ['realm'] });
    expect(state['realm_push_notifications_enabled']).toBe(true);
  });

  it.each([
    [1, 'accepted'],
    [3, 'refused'],
  ])('has a report again that another process overtook: after %i times it is %s', async (times, kind) => {
    const { context } = world.server;
    const { pushGateway } = context;
    if (!pushGateway) throw new Error('no push service is configured');
    let reports = 0;
    const overtaking: typeof pushGateway.outbound = {
      ...pushGateway.outbound,
      fetch: async (request) => {
        if (request.url.endsWith('/server/analytics') && reports++ < times) await reportToService(context);
        return pushGateway.outbound.fetch(request);
      },
    };
    const overtaken = { ...context, pushGateway: { ...pushGateway, outbound: overtaking } };
    expect((await reportToService(overtaken)).kind).toBe(kind);
    expect(reports).toBe(Math.min(times + 1, 3));
  });

  it('refuses reports that name an organization twice, and kinds of tokens that are names of every object', async () => {
    const realm = { uuid: randomUUID(), uuid_owner_secret: 's', host: 'h', deactivated: false };
    const long = 'a'.repeat(40);
    for (const names of [
      [realm.uuid, realm.uuid],
      [`${long}1`, `${long}2`],
    ]) {
      const realms = JSON.stringify(names.map((uuid) => ({ ...realm, uuid })));
      expect((await ask('/server/analytics', form({ realms }))).body['msg']).toBe('Duplicate registration detected.');
    }
    expect((await ask('/server/analytics', form({ realms: JSON.stringify([realm]) }))).status).toBe(200);
    for (const path of ['/push/register', '/push/unregister'])
      for (const token_kind of ['__proto__', 'constructor', 'toString'])
        expect((await ask(path, form({ token: 'ab', token_kind, user_id: '1' }))).body['msg']).toBe(
          'Invalid token type',
        );
  });

  it('lets nobody take an account over who does not answer for its host name', async () => {
    const { context } = world.server;
    const refused = await transferServer(context, 'nobody.test');
    expect(refused).toMatchObject({ refusal: { msg: 'nobody.test not yet registered' } });
    // The gateway reaches the public Internet only, so nobody answers for this host.
    expect(await transferServer(context, HOST)).toMatchObject({
      refusal: { msg: 'Failed to connect to the hostname' },
    });
    const url = '/api/v1/zulip-services/verify/made-up/';
    expect((await world.server.listener.inject({ method: 'GET', url })).json()).toMatchObject({
      code: 'REMOTE_SERVER_VERIFICATION_SECRET_NOT_PREPARED',
    });
    const page = await world.server.listener.inject({
      method: 'GET',
      url: `/api/v1/zulip-services/verify/${await sealChallenge(context, 'the secret')}/`,
    });
    expect(page.json()).toMatchObject({ result: 'success', verification_secret: 'the secret' });
  });
});
