import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUser } from '#features/users';
import { deriveKey } from '#kernel/auth';
import { TestClock } from '#kernel/clock';
import { asId, type UserId } from '#kernel/ids';
import { lockBox } from '#kernel/secretbox';
import { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { pause } from '../../../test/support/pause.ts';
import { PushService, Subscriber } from '../../../test/support/push-service.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { recordResults, type Result } from './deliver.ts';
import { listSubscriptions } from './queries.ts';
import { openTarget, sealTarget } from './sealed.ts';
import type { SubscriptionRow } from './tables.ts';

describe.each(databases)('push subscriptions on %s', (database) => {
  const clock = new TestClock();
  let service: PushService;
  let world: World;
  let max: Client;
  let mia: Client;

  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };
  const direct = async (content: string, to: Client = max): Promise<number> =>
    (await mia.post('/messages', { type: 'direct', to: [to.userId], content }))['id'];
  const subscribe = (user: Client = max, host?: string) => new Subscriber(service, host).subscribe(user);
  const read = async (subscriber: Subscriber) => {
    await jobs();
    return subscriber.read(clock.now());
  };
  const listed = async (user: Client = max) => (await user.get('/push_subscriptions'))['subscriptions'];

  beforeAll(async () => {
    service = await PushService.open();
    const { network, authorities } = service;
    world = await openWorld(database, { clock, network, authorities });
    ({ max, mia } = world);
  });
  beforeEach(async () => {
    for (const { id } of await listed()) await max.delete(`/push_subscriptions/${id}`);
    service.answers.clear();
    service.retryAfter = undefined;
    service.requests.splice(0);
    // Push services that were silent in another test have rested by now.
    clock.advance(3_600_000);
  });
  afterAll(async () => {
    await world.close();
    await service.close();
  });

  it('bring a message to each browser of its receiver, encrypted and signed (protocol/push#delivery)', async () => {
    const [first, second] = [await subscribe(), await subscribe(max, 'other.push.test')];
    const id = await direct('Are **you** there?');
    const [pushed] = await read(first);
    expect(pushed?.payload).toEqual({
      type: 'message',
      realm_name: 'Roost Test',
      realm_url: 'http://localhost:9991',
      user_id: max.userId,
      message_id: id,
      time: clock.now(),
      sender_id: mia.userId,
      sender_full_name: 'Mia Member',
      sender_avatar_url: expect.stringMatching(/^http:\/\/localhost:9991\/user_avatars\//),
      content: 'Are you there?',
      recipient_type: 'direct',
      recipient_user_ids: [max.userId, mia.userId].toSorted((a, b) => a - b),
      url: `http://localhost:9991/#narrow/dm/${[max.userId, mia.userId].toSorted((a, b) => a - b).join(',')}/near/${id}`,
      conversation: expect.any(String),
    });
    expect(pushed?.headers).toMatchObject({
      ttl: '259200',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
    });
    const [other] = await read(second);
    expect(other?.payload).toEqual(pushed?.payload);
    expect(other?.headers['topic']).not.toBe(pushed?.headers['topic']);
    expect((await listed()).map((row: object) => ({ ...row, id: 0 }))).toMatchObject([
      { kind: 'web', delivered_at: clock.now(), failing_since: null, failure: null },
      { kind: 'web', delivered_at: clock.now() },
    ]);
  });

  it('name conversations alike, so that their messages replace each other, and others otherwise', async () => {
    const browser = await subscribe();
    await direct('one');
    await direct('two');
    await world.olive.post('/messages', { type: 'direct', to: [max.userId], content: 'else' });
    const pushed = await read(browser);
    const [one, two, other] = ['one', 'two', 'else'].map((content) =>
      pushed.find(({ payload }) => payload['content'] === content),
    );
    expect(one?.headers['topic']).toBe(two?.headers['topic']);
    expect(one?.payload['conversation']).toBe(two?.payload['conversation']);
    expect(other?.headers['topic']).not.toBe(one?.headers['topic']);
    expect(other?.payload['conversation']).not.toBe(one?.payload['conversation']);
  });

  it('take away what was read elsewhere or deleted, and never show it afterwards', async () => {
    const browser = await subscribe();
    const id = await direct('soon read');
    expect(await read(browser)).toHaveLength(1);
    await max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    const [removal] = await read(browser);
    expect(removal?.payload).toMatchObject({ type: 'remove', user_id: max.userId, message_ids: [id] });
    service.answers.set(browser.path, 500);
    const late = await direct('read while the push service is away');
    await jobs();
    await max.post('/messages/flags', { messages: [late], op: 'add', flag: 'read' });
    service.answers.clear();
    clock.advance(10_000);
    expect((await read(browser)).map(({ payload }) => payload['type'])).toEqual(['remove']);
    const gone = (await world.olive.post('/messages', { type: 'direct', to: [max.userId], content: 'deleted' }))['id'];
    await read(browser);
    await world.olive.delete(`/messages/${gone}`);
    expect((await read(browser)).map(({ payload }) => payload['message_ids'])).toEqual([[gone]]);
  });

  it('do not tell Apple to take anything away: it would end the subscription', async () => {
    const [apple, other] = [await subscribe(max, 'web.push.apple.com'), await subscribe()];
    service.answers.set(apple.path, 'hang up');
    const id = await direct('soon read');
    await read(other);
    await max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    service.requests.splice(0);
    expect(await read(other)).toHaveLength(1);
    expect(service.requests).toEqual([`push.test ${other.path}`]);
  });

  it.each([404, 410])('end when the push service knows them no more (%d)', async (status) => {
    const [dead, alive] = [await subscribe(), await subscribe()];
    service.answers.set(dead.path, status);
    await direct('hello');
    expect(await read(alive)).toHaveLength(1);
    expect((await listed()).map(({ id }: { id: number }) => id)).toEqual([alive.id]);
  });

  it.each([[429], [500], ['hang up'] as const])(
    'are tried again after %s, alone, and later each time',
    async (answer) => {
      const [troubled, well] = [await subscribe(), await subscribe(max, 'other.push.test')];
      service.answers.set(troubled.path, answer);
      await direct('hello');
      expect(await read(well)).toHaveLength(1);
      expect(await listed()).toMatchObject([
        { failing_since: clock.now(), failure: expect.any(String) },
        { failure: null },
      ]);
      const reason = answer === 'hang up' ? 'unreachable' : `status ${answer}`;
      expect(await world.server.context.metrics.text()).toContain(
        `roost_undelivered_total{road="web",reason="${reason}"}`,
      );
      service.requests.splice(0);
      await jobs();
      expect(service.requests).toEqual([]);
      clock.advance(4_000);
      await jobs();
      // A request that broke on a connection of an earlier one is sent again at once on a fresh one.
      expect(new Set(service.requests)).toEqual(new Set([`push.test ${troubled.path}`]));
      service.answers.clear();
      clock.advance(8_000);
      expect(await read(troubled)).toHaveLength(1);
      expect(await read(well)).toEqual([]);
      expect(await listed()).toMatchObject([{ failing_since: null, failure: null }, { failure: null }]);
    },
  );

  it('wait as long as the push service asks', async () => {
    const browser = await subscribe();
    service.answers.set(browser.path, 429);
    service.retryAfter = '600';
    await direct('hello');
    await jobs();
    service.answers.clear();
    clock.advance(599_000);
    expect(await read(browser)).toEqual([]);
    clock.advance(1_000);
    expect(await read(browser)).toHaveLength(1);
  });

  it('are given up after twelve tries, and end when nothing was taken for 14 days', async () => {
    const browser = await subscribe();
    service.answers.set(browser.path, 503);
    await direct('hello');
    for (let tries = 0; tries < 20; tries++) {
      await jobs();
      clock.advance(3_600_000);
    }
    expect(service.requests.length).toBe(12);
    expect(await listed()).toMatchObject([{ failure: 'status 503' }]);
    clock.advance(14 * 86_400_000);
    await direct('hello again');
    await jobs();
    expect(await listed()).toEqual([]);
  });

  it('leave a push service alone that does not answer, while others are told', async () => {
    const silent = await Promise.all(Array.from({ length: 8 }, () => subscribe(max, 'slow.push.test')));
    for (const { path } of silent) service.answers.set(path, 'hang up');
    await direct('one');
    await jobs();
    const well = await subscribe();
    service.requests.splice(0);
    await direct('two');
    expect(await read(well)).toHaveLength(1);
    // Not one request to the host that rests.
    expect(service.requests).toEqual([`push.test ${well.path}`]);
  });

  it('rest no longer because many requests failed at once', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => subscribe(max, 'slow.push.test')));
    for (const { path } of many) service.answers.set(path, 'hang up');
    await direct('one');
    await jobs();
    service.answers.clear();
    for (let seconds = 0; seconds < 25; seconds += 5) {
      clock.advance(5_000);
      await jobs();
    }
    for (const one of many) expect(await read(one)).toHaveLength(1);
  });

  it('reach others within a second while hundreds wait for a host that says nothing', async () => {
    const { gus } = world;
    const silent = await Promise.all(Array.from({ length: 20 }, () => subscribe(max, 'hush.push.test')));
    for (const { path } of silent) service.answers.set(path, 'silence');
    for (let n = 0; n < 20; n++) await direct(`${n}`);
    const done = jobs();
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(5);
    const well = await subscribe(gus, 'fresh.push.test');
    await direct('hello', gus);
    clock.advance(1_000);
    await expect.poll(() => service.requests).toContain(`fresh.push.test ${well.path}`);
    expect(service.requests).toHaveLength(6);
    clock.advance(4_000);
    await done;
    await gus.delete(`/push_subscriptions/${well.id}`);
  });

  it('tell nobody who read the message while those before them were slow, by the web or by UnifiedPush', async () => {
    const { gus, adam } = world;
    const slow = await Promise.all(Array.from({ length: 50 }, () => subscribe(max, 'mute.push.test')));
    for (const { path } of slow) service.answers.set(path, 'silence');
    const [web, app, other] = [
      await subscribe(gus),
      await new Subscriber(service).subscribe(gus, { kind: 'unifiedpush', name: 'Phone' }),
      await subscribe(adam),
    ];
    const to = [max.userId, gus.userId, adam.userId];
    const { id } = await mia.post('/messages', { type: 'direct', to, content: 'soon read' });
    const done = jobs();
    // Of one person, and to a host that has not answered yet.
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(5);
    await gus.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    clock.advance(1_000);
    await expect.poll(() => service.requests, { timeout: 60_000 }).toContain(`push.test ${other.path}`);
    // What the push service said of it, and of what it was to take away, is on its way: the clock must not overtake it.
    await pause(250);
    clock.advance(4_000);
    await done;
    const kinds = async (by: Subscriber) => (await read(by)).map(({ payload }) => payload['type']);
    expect(await kinds(other)).toEqual(['message']);
    for (const by of [web, app]) expect(await kinds(by)).toEqual(['remove']);
    for (const [user, by] of [
      [gus, web],
      [gus, app],
      [adam, other],
    ] as const)
      await user.delete(`/push_subscriptions/${by.id}`);
  });

  it('bring a message a second time when a push service hung up, and in a way that shows it is the same', async () => {
    const browser = await subscribe();
    await direct('one');
    expect(await read(browser)).toHaveLength(1);
    service.answers.set(browser.path, 'taken');
    const id = await direct('two');
    const [first, second, ...more] = await read(browser);
    expect(more).toEqual([]);
    expect(first?.payload).toMatchObject({ type: 'message', message_id: id, content: 'two' });
    expect(second?.payload).toEqual(first?.payload);
    expect(second?.headers['topic']).toBe(first?.headers['topic']);
    clock.advance(60_000);
    expect(await read(browser)).toEqual([]);
  });

  it('are written down at once by those who failed to reach the same ones in another order', async () => {
    await Promise.all(Array.from({ length: 40 }, () => subscribe()));
    const { context } = world.server;
    const store = context.store.in(world.realm);
    const rows = await store.query((tx) => listSubscriptions(tx, asId<UserId>(max.userId)));
    const resultOf = (subscription: SubscriptionRow): Result => ({
      delivery: { subscription, text: '', ttl: 0, urgency: 'high' },
      outcome: { kind: 'later', reason: `status ${500 + (subscription.id % 3)}`, seconds: 5 },
    });
    const results = rows.map(resultOf);
    const record = (turn: number) => {
      const own = [...results.slice(turn * 2), ...results.slice(0, turn * 2)];
      return store.write((tx) => recordResults(context, tx, turn % 2 ? own.toReversed() : own));
    };
    const elapsedMs = async (work: () => Promise<unknown>) => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    const turns = Array.from({ length: 16 }, (_, turn) => turn);
    const inTurn = await elapsedMs(async () => {
      for (const turn of turns) await record(turn);
    });
    // PostgreSQL looks for deadlocks after a second of waiting.
    expect(await elapsedMs(() => Promise.all(turns.map(record)))).toBeLessThan(inTurn + 1_000);
  });

  it('are not asked where they lead inside', async () => {
    const inside = await subscribe(max, 'inside.push.test');
    await direct('hello');
    await jobs();
    expect(service.requests).toEqual([]);
    expect(await listed()).toMatchObject([{ id: inside.id, failure: 'forbidden' }]);
  });

  it('are refused in the order of protocol/push#subscriptions', async () => {
    const { endpoint, p256dh, auth } = new Subscriber(service).fields();
    const refused = async (fields: object) =>
      (await max.refused('POST', '/push_subscriptions', { endpoint, p256dh, auth, ...fields })).msg;
    for (const bad of ['http://push.test/x', 'ftp://push.test/', 'https://a:b@push.test/', 'push.test', ''])
      expect(await refused({ endpoint: bad, auth: '' })).toBe('Invalid push endpoint');
    expect(await refused({ auth: 'x' })).toBe('Invalid push subscription keys');
    expect(await refused({ p256dh: auth })).toBe('Invalid push subscription keys');
    expect(await refused({ kind: 'pigeon' })).toMatch(/^Invalid kind/);
    expect(await refused({ endpoint: `https://push.test/${'x'.repeat(2_048)}` })).toMatch(/^endpoint is too long/);
    expect(await listed()).toEqual([]);
  });

  it('of somebody else look like ones that do not exist (check 3)', async () => {
    const { id } = await subscribe();
    for (const unknown of [id, 999_999]) {
      for (const [method, path] of [
        ['DELETE', ''],
        ['POST', '/test'],
      ] as const) {
        const refusal = await mia.refused(method, `/push_subscriptions/${unknown}${path}`);
        expect(refusal).toMatchObject({ status: 404, msg: 'Push subscription does not exist' });
      }
    }
    expect(await listed()).toHaveLength(1);
  });

  it('show a test, or say that the push service did not take it (check 4)', async () => {
    const browser = await subscribe();
    await max.post(`/push_subscriptions/${browser.id}/test`);
    expect((await read(browser)).map(({ payload }) => payload)).toEqual([
      {
        type: 'test',
        realm_name: 'Roost Test',
        realm_url: 'http://localhost:9991',
        user_id: max.userId,
        time: clock.now(),
      },
    ]);
    service.answers.set(browser.path, 403);
    const refusal = await max.request('POST', `/push_subscriptions/${browser.id}/test`);
    expect(refusal).toMatchObject({ status: 502, body: { msg: 'The push service did not take the notification' } });
    expect(await listed()).toMatchObject([{ failure: 'status 403' }]);
  });

  it('are of apps too, and belong to who subscribed last with the same address', async () => {
    const app = await new Subscriber(service).subscribe(max, { kind: 'unifiedpush', name: ' Pixel ' });
    expect(await listed()).toMatchObject([{ kind: 'unifiedpush', name: 'Pixel' }]);
    await direct('for the app');
    expect(await read(app)).toHaveLength(1);
    await app.subscribe(world.olive);
    expect(await listed()).toEqual([]);
    await direct('not for whoever uses it now');
    expect(await read(app)).toEqual([]);
    await direct('for her', world.olive);
    expect(await read(app)).toHaveLength(1);
  });

  it('are at most 50, without the oldest', async () => {
    const first = await subscribe();
    for (let more = 0; more < 50; more++) await subscribe();
    const all = await listed();
    expect(all).toHaveLength(50);
    expect(all.map(({ id }: { id: number }) => id)).not.toContain(first.id);
  });

  it('that an earlier release stored are read still', async () => {
    const { endpoint, p256dh, auth } = new Subscriber(service).fields();
    const key = Buffer.from(deriveKey('a secret', 'push subscriptions'));
    const box = await lockBox(key, Buffer.from(JSON.stringify([endpoint, p256dh, auth])));
    const target = await openTarget('a secret', { sealed: Buffer.from(box).toString('base64') });
    expect(target?.endpoint).toBe(endpoint);
    expect(await openTarget('another', { sealed: sealTarget('a secret', { endpoint, p256dh, auth }) })).toBeUndefined();
  });

  it('are stored so that the database alone tells nobody where they lead', async () => {
    const browser = await subscribe();
    const rows = await world.server.context.store.query((tx) =>
      tx.db.selectFrom('push_subscription').selectAll().execute(),
    );
    const { endpoint, p256dh, auth } = browser.fields();
    for (const secret of [endpoint, browser.path, p256dh, auth]) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('end with the device key of the app that made them, and with no other', async () => {
    const apps: Client[] = [];
    const ids: number[] = [];
    for (const days of [null, null, 1]) {
      const { id, secret } = await max.post('/users/me/api_keys', { name: 'app', days });
      ids.push(id);
      apps.push(new Client(world.server, { email: max.email, user_id: max.userId, api_key: secret }));
    }
    const subscribers: Subscriber[] = [];
    for (const app of apps) subscribers.push(await subscribe(app));
    await max.delete(`/users/me/api_keys/${ids[0]}`);
    expect(await listed()).toHaveLength(2);
    clock.advance(2 * 86_400_000);
    const id = await direct('who hears?');
    const heard = await Promise.all(subscribers.map(read));
    expect(heard.map((one) => one.map(({ payload }) => payload['message_id']))).toEqual([[], [id], []]);
  });

  it('end with the account, and with the API key', async () => {
    const leaver = await world.user();
    const browser = await subscribe(leaver);
    await direct('hello', leaver);
    expect(await read(browser)).toHaveLength(1);
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId(leaver.userId), { is_active: false }));
    await direct('gone', leaver).catch(() => undefined);
    expect(await read(browser)).toEqual([]);
    const other = await subscribe();
    await max.post('/users/me/api_key/regenerate');
    expect(await read(other)).toEqual([]);
    const rows = await world.server.context.store.query((tx) =>
      tx.db.selectFrom('push_subscription').select('id').where('user_id', '=', asId<UserId>(max.userId)).execute(),
    );
    expect(rows).toEqual([]);
    max = world.clientOf({ id: max.userId, email: max.email, api_key_version: 2 });
  });

  // Last, because so many people have mails coming afterwards.
  it('carry at most 3,072 bytes, whatever a message holds', async () => {
    const browser = await subscribe();
    const to = [max.userId];
    while (to.length < 400) to.push((await world.user({ full_name: '😀'.repeat(90) })).userId);
    const many = await mia.post('/messages', { type: 'direct', to, content: '"'.repeat(300) + '😀'.repeat(300) });
    const [pushed] = await read(browser);
    expect(pushed?.bytes).toBeLessThanOrEqual(3_072);
    expect(pushed?.payload).toMatchObject({ message_id: many['id'], url: 'http://localhost:9991' });
    expect(pushed?.payload['recipient_user_ids']).toBeUndefined();
  });
});
