import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendParcels, sendToOlder } from '#features/push-devices';
import { setUser } from '#features/users';
import { TestClock } from '#kernel/clock';
import { asId, type MessageId, type RealmId, type UserId } from '#kernel/ids';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { Phone } from '../../../test/support/phone.ts';
import { PushGateway } from '../../../test/support/push-gateway.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { devicesOf, prunePushed, tokensOf } from './push/index.ts';

describe.each(databases)('push notifications on %s', (database) => {
  const clock = new TestClock();
  const now = () => clock.now();
  let gateway: PushGateway;
  let world: World;
  let max: Client;
  let mia: Client;
  let phone: Phone;
  let channel: number;

  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };
  const direct = async (from: Client, to: Client, content: string): Promise<number> =>
    (await from.post('/messages', { type: 'direct', to: [to.userId], content }))['id'];
  const say = async (from: Client, content: string, topic = 'lunch'): Promise<number> =>
    (await from.post('/messages', { type: 'channel', to: channel, topic, content }))['id'];
  const hear = async (content: string) => {
    await say(mia, content, 'dinner');
    await jobs();
  };
  const received = async (by: Phone) => {
    await jobs();
    return by.read();
  };
  const set = (user: Client, settings: object) => user.patch('/settings', { ...settings });
  const subscribe = async (name: string, people: readonly Client[], more: object = {}) => {
    const principals = people.map(({ userId }) => userId);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
    return (await world.olive.get('/get_stream_id', { stream: name }))['stream_id'] as number;
  };
  const mention = (user: Client, name: string) => `@**${name}|${user.userId}** come`;

  beforeAll(async () => {
    gateway = await PushGateway.open(now);
    world = await openWorld(database, { clock, environment: { ROOST_PUSH_GATEWAY_URL: gateway.url } });
    ({ max, mia } = world);
    channel = await subscribe('kitchen', [max, mia, world.gus]);
  });
  beforeEach(async () => {
    phone = await new Phone(gateway, now).register(max);
    await jobs();
    await phone.read();
  });
  afterAll(async () => {
    await world.close();
    await gateway.close();
  });

  it('bring a direct message to each phone of its receiver, encrypted for it alone', async () => {
    const second = await new Phone(gateway, now).register(max);
    await jobs();
    gateway.takeSeen('');
    const id = await direct(mia, max, 'Are **you** there? :tada:');
    const expected = {
      type: 'message',
      realm_name: 'Roost Test',
      realm_url: 'http://localhost:9991',
      user_id: max.userId,
      message_id: id,
      time: now(),
      sender_id: mia.userId,
      sender_full_name: 'Mia Member',
      sender_avatar_url: expect.stringMatching(/^http:\/\/localhost:9991\/user_avatars\//),
      content: expect.stringMatching(/^Are you there\? /),
      recipient_type: 'direct',
      recipient_user_ids: [max.userId, mia.userId].toSorted((a, b) => a - b),
    };
    expect(await received(phone)).toEqual([expected]);
    expect(await second.read()).toEqual([expected]);
    const carried = JSON.stringify(gateway.takeSeen('/e2ee/notify'));
    expect(carried).toContain('encrypted_data');
    expect(carried).not.toMatch(/Mia Member|you there/);
    await max.post('/remove_client_device', { device_id: second.deviceId });
  });

  it('bring what a poll asks instead of the command that made it', async () => {
    await direct(mia, max, '/poll Which bird?\nA rook\nA wren');
    expect(await received(phone)).toMatchObject([{ content: 'Poll: Which bird?' }]);
    await direct(mia, max, 'not a /poll');
    expect(await received(phone)).toMatchObject([{ content: 'not a /poll' }]);
  });

  it('bring mentions, by name and through a group, and no other message of a channel', async () => {
    expect(await received(phone)).toEqual([]);
    await say(mia, 'nothing for anybody');
    await say(mia, `@_**Max Member|${max.userId}** is mentioned silently`);
    // Decided before the mention, which makes its topic a followed one.
    expect(await received(phone)).toEqual([]);
    const id = await say(mia, mention(max, 'Max Member'));
    expect(await received(phone)).toMatchObject([
      {
        message_id: id,
        recipient_type: 'channel',
        channel_id: channel,
        channel_name: 'kitchen',
        topic: 'lunch',
        content: '@Max Member come',
      },
    ]);
    const { group_id } = await world.olive.post('/user_groups/create', {
      name: 'cooks',
      description: '',
      members: [max.userId],
    });
    await say(mia, '@*cooks* hello');
    expect(await received(phone)).toMatchObject([
      { mentioned_user_group_id: group_id, mentioned_user_group_name: 'cooks', content: '@cooks hello' },
    ]);
  });

  it('obey settings, of the channel before those of the person, and follow topics', async () => {
    const property = (name: string, value: boolean) =>
      max.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel, property: name, value }],
      });
    await set(max, { enable_stream_push_notifications: true });
    await hear('one');
    await property('push_notifications', false);
    await hear('two');
    await set(max, { enable_stream_push_notifications: false });
    await property('push_notifications', true);
    await hear('three');
    await property('is_muted', true);
    await hear('four');
    await max.post('/user_topics', { stream_id: channel, topic: 'dinner', visibility_policy: 3 });
    await hear('five');
    await max.post('/user_topics', { stream_id: channel, topic: 'dinner', visibility_policy: 0 });
    await property('is_muted', false);
    await property('push_notifications', false);
    expect((await received(phone)).map(({ content }) => content)).toEqual(['one', 'three', 'five']);
    await set(max, { enable_offline_push_notifications: false });
    await direct(mia, max, 'unheard');
    await jobs();
    await set(max, { enable_offline_push_notifications: true });
    await direct(mia, max, 'heard');
    expect(await received(phone)).toMatchObject([{ content: 'heard' }]);
  });

  it('do not disturb somebody who is here and does not want it', async () => {
    await set(max, { enable_online_push_notifications: false });
    const present = async () => max.post('/users/me/presence', { status: 'active' });
    await max.register({ event_types: ['presence'] });
    await present();
    await direct(mia, max, 'deaf client');
    await received(phone).then((all) => expect(all).toHaveLength(1));
    await max.register();
    await direct(mia, max, 'here');
    expect(await received(phone)).toEqual([]);
    clock.advance(201_000);
    await direct(mia, max, 'idle');
    expect(await received(phone)).toMatchObject([{ content: 'idle' }]);
    clock.advance(400_000);
    await present();
    await direct(mia, max, 'no client listens');
    expect(await received(phone)).toMatchObject([{ content: 'no client listens' }]);
    await set(max, { enable_online_push_notifications: true });
    await max.register();
    await present();
    await direct(mia, max, 'wanted');
    expect(await received(phone)).toMatchObject([{ content: 'wanted' }]);
  });

  it('are not for senders, bots, people who muted the sender, or those who went', async () => {
    const other = await new Phone(gateway, now).register(mia);
    await jobs();
    const private_id = await subscribe('secret', [max, mia], { invite_only: true });
    const tell = (content: string) => mia.post('/messages', { type: 'channel', to: private_id, topic: 'x', content });
    await tell(`${mention(max, 'Max Member')} and ${mention(mia, 'Mia Member')}`);
    expect(await received(phone)).toHaveLength(1);
    expect(await other.read()).toEqual([]);
    await max.post(`/users/me/muted_users/${mia.userId}`);
    await direct(mia, max, 'muted');
    // What stood there is read now.
    expect(await received(phone)).toMatchObject([{ type: 'remove' }]);
    await max.delete(`/users/me/muted_users/${mia.userId}`);
    await max.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
    await received(phone);
    await tell(mention(max, 'Max Member'));
    expect(await received(phone)).toEqual([]);
    const leaver = await world.user();
    const last = await new Phone(gateway, now).register(leaver);
    await jobs();
    await direct(mia, leaver, 'before');
    expect(await received(last)).toHaveLength(1);
    gateway.failNext('/e2ee/notify', 500);
    await direct(mia, leaver, 'while the gateway is away');
    await jobs();
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId(leaver.userId), { is_active: false }));
    clock.advance(10_000);
    expect(await received(last)).toEqual([]);
  });

  it('vanish when the message is read or deleted, and only then', async () => {
    const [first, second, third] = [
      await direct(mia, max, '1'),
      await direct(mia, max, '2'),
      await direct(mia, max, '3'),
    ];
    expect(await received(phone)).toHaveLength(3);
    await max.post('/messages/flags', { messages: [first, second], op: 'add', flag: 'read' });
    expect(await received(phone)).toEqual([
      {
        type: 'remove',
        realm_name: 'Roost Test',
        realm_url: 'http://localhost:9991',
        user_id: max.userId,
        message_ids: [first, second],
      },
    ]);
    await max.post('/messages/flags', { messages: [first], op: 'remove', flag: 'read' });
    await max.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' });
    expect(await received(phone)).toEqual([]);
    await world.olive.delete(`/messages/${third}`).catch(() => mia.delete(`/messages/${third}`));
    expect(await received(phone)).toMatchObject([{ type: 'remove', message_ids: [third] }]);
  });

  it('tell nobody who has read the message by the time they are told, by either road', async () => {
    const { context } = world.server;
    const [realmId, userId] = [world.realm.id, asId<UserId>(max.userId)];
    await max.post('/users/me/android_gcm_reg_id', { token: 'old' });
    await jobs();
    gateway.seen.splice(0);
    const [devices, tokens] = await context.store
      .of(realmId)
      .query(async (tx) => [await devicesOf(tx, [userId]), await tokensOf(tx, [userId])]);
    const parcel = { payload: { type: 'message' }, priority: 'high' as const };
    const sealed = devices.map((device) => ({ device, ...parcel }));
    const open = tokens.map((device) => ({ device, ...parcel }));
    for (const people of [[], [userId]]) {
      const pending = () => Promise.resolve(new Set(people));
      await sendParcels(context, realmId, sealed, pending);
      await sendToOlder(context, realmId, open, { pending });
      expect(gateway.seen.map(({ path }) => path)).toEqual(people.length === 0 ? [] : ['/e2ee/notify', '/notify']);
    }
    expect(await phone.read()).toMatchObject([parcel.payload]);
    await max.delete('/users/me/android_gcm_reg_id', { token: 'old' });
  });

  it('are tried again when the push service is away, with what is true by then', async () => {
    gateway.failNext('/e2ee/notify');
    gateway.failNext('/e2ee/notify', 503);
    const [edited, read] = [await direct(mia, max, 'old words'), await direct(mia, max, 'read meanwhile')];
    await jobs();
    expect(await phone.read()).toEqual([]);
    await mia.patch(`/messages/${edited}`, { content: 'new words' });
    await max.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    await jobs();
    clock.advance(10_000);
    const all = await received(phone);
    expect(all.filter(({ type }) => type === 'message')).toMatchObject([{ content: 'new words' }]);
  });

  it('reach people mentioned by an edit of the message, once', async () => {
    const id = await say(mia, 'nobody yet', 'supper');
    await mia.patch(`/messages/${id}`, { content: `now ${mention(max, 'Max Member')}` });
    expect(await received(phone)).toMatchObject([{ message_id: id, content: 'now @Max Member come' }]);
    await mia.patch(`/messages/${id}`, { content: `still ${mention(max, 'Max Member')}` });
    expect(await received(phone)).toEqual([]);
  });

  it('reach older apps, unencrypted and apart from the others, and are taken away there too (protocol/push#older-tokens)', async () => {
    // An app may say it in Base64; the service takes hex.
    const [apns, hex, fcm] = ['YWJjZA==', '61626364', 'android-token'];
    await max.post('/users/me/apns_device_token', { token: apns, appid: 'org.roost.Old' });
    await max.post('/users/me/android_gcm_reg_id', { token: fcm });
    await jobs();
    gateway.seen.splice(0);
    gateway.failNext('/notify', 503);
    const id = await direct(mia, max, 'to **old** and new');
    await jobs();
    const data = { type: 'message', message_id: id, user_id: max.userId, content: 'to old and new' };
    expect(await phone.read()).toMatchObject([data]);
    clock.advance(10_000);
    await jobs();
    const { realm_uuid } = (await max.register({ fetch_event_types: ['realm'] })).state;
    const user_uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const [, request] = gateway.takeSeen('/notify');
    const common = {
      server: 'localhost:9991',
      realm_id: world.realm.id,
      realm_uri: 'http://localhost:9991',
      realm_url: 'http://localhost:9991',
      realm_name: 'Roost Test',
      user_id: max.userId,
      sender_id: mia.userId,
      sender_email: expect.stringContaining('@'),
      time: now(),
      recipient_type: 'private',
    };
    const gcm_payload = {
      ...common,
      time: expect.any(Number),
      event: 'message',
      zulip_message_id: id,
      content: 'to old and new',
      content_truncated: false,
      sender_full_name: 'Mia Member',
      sender_avatar_url: expect.stringMatching(/^http/),
    };
    const apns_payload = {
      alert: { title: 'Mia Member', subtitle: '', body: 'to old and new' },
      sound: 'default',
      badge: 0,
      custom: { zulip: { ...common, time: expect.any(Number), message_ids: [id] } },
    };
    const gcm_options = { priority: 'high' };
    const devices = { android_devices: [fcm], apple_devices: [hex] };
    const about = { realm_uuid, user_uuid, user_id: max.userId };
    expect(request).toEqual({ ...about, gcm_payload, gcm_options, apns_payload, ...devices });
    expect(gateway.takeInbox(hex)).toEqual([{ apns_payload }]);
    expect(gateway.takeInbox(fcm)).toEqual([{ gcm_payload, gcm_options }]);
    // The failed try of the older road is not repeated on the other.
    expect(await phone.read()).toEqual([]);
    await max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    const removal = { type: 'remove', user_id: max.userId, message_ids: [id] };
    expect(await received(phone)).toMatchObject([removal]);
    const older = { event: 'remove', zulip_message_id: id, zulip_message_ids: String(id) };
    expect(gateway.takeInbox(fcm)).toMatchObject([{ gcm_options: { priority: 'normal' }, gcm_payload: older }]);
    gateway.takeInbox(hex);
    await world.olive.patch('/realm', { require_e2ee_push_notifications: true });
    await direct(mia, max, 'for sealed eyes');
    expect(await received(phone)).toMatchObject([{ content: 'for sealed eyes' }]);
    expect(gateway.takeInbox(hex)).toMatchObject([{ apns_payload: { alert: { body: 'New message' } } }]);
    await world.olive.patch('/realm', { require_e2ee_push_notifications: false });
    gateway.takeInbox(fcm);
    gateway.uninstall(fcm);
    await direct(mia, max, 'one is gone');
    await jobs();
    gateway.seen.splice(0);
    await direct(mia, max, 'and forgotten');
    await jobs();
    expect(gateway.takeSeen('/notify')).toMatchObject([{ android_devices: [], apple_devices: [hex] }]);
    expect(gateway.takeInbox(hex)).toHaveLength(2);
    const gone = await max.refused('POST', '/mobile_push/test_notification', { token: fcm });
    expect(gone.code).toBe('INVALID_PUSH_DEVICE_TOKEN');
    await max.delete('/users/me/apns_device_token', { token: apns });
    await received(phone);
  });

  it('wait for a push service that says nothing or nonsense, while everything else goes on', async () => {
    // Forgets what came before.
    gateway.seen.splice(0);
    gateway.confuseNext('/e2ee/notify', 'silence');
    await direct(mia, max, 'patient');
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    while (gateway.takeSeen('/e2ee/notify').length === 0) await new Promise((resolve) => setImmediate(resolve));
    // No transaction is open meanwhile: the embedded database has room for one only.
    await max.post('/saved_snippets', { title: 'quick', content: 'while the gateway thinks' });
    clock.advance(10_000);
    await context.jobs.idle();
    gateway.confuseNext('/e2ee/notify', 'nonsense');
    clock.advance(10_000);
    await jobs();
    expect(await phone.read()).toEqual([]);
    clock.advance(10_000);
    expect(await received(phone)).toMatchObject([{ content: 'patient' }]);
    gateway.seen.splice(0);
    for (let tries = 0; tries < 12; tries++) gateway.confuseNext('/e2ee/notify', 'nonsense');
    await direct(mia, max, 'in vain');
    for (let tries = 0; tries < 14; tries++) {
      await jobs();
      clock.advance(3_600_000);
    }
    expect(gateway.takeSeen('/e2ee/notify')).toHaveLength(12);
    expect(await phone.read()).toEqual([]);
  });

  it('are forgotten when no phone shows them any more, a few at a time and in all organizations', async () => {
    const { context } = world.server;
    const old = await direct(mia, max, 'weeks ago');
    await received(phone);
    const rows = Array.from({ length: 600 }, (_, index) => ({
      realm_id: asId<RealmId>(world.realm.id + (index % 5)),
      message_id: asId<MessageId>(old),
      user_id: asId<UserId>(1_000_000 + index),
    }));
    await context.store.write((tx) => tx.db.insertInto('pushed_message').values(rows).execute());
    clock.advance(27 * 86_400_000);
    const fresh = await direct(mia, max, 'yesterday');
    await received(phone);
    await prunePushed(context);
    clock.advance(86_400_000 + 1000);
    const count = (id: number) =>
      context.store.query(
        async (tx) =>
          (await tx.db.selectFrom('pushed_message').selectAll().where('message_id', '=', asId<MessageId>(id)).execute())
            .length,
      );
    expect(await count(old)).toBe(601);
    await prunePushed(context);
    expect([await count(old), await count(fresh)]).toEqual([0, 1]);
    // What is not remembered is not taken away.
    await max.post('/messages/flags', { messages: [old, fresh], op: 'add', flag: 'read' });
    expect(await received(phone)).toMatchObject([{ type: 'remove', message_ids: [fresh] }]);
  });

  it('reach everybody mentioned by an edit at once, except those who were mentioned before', async () => {
    const other = await new Phone(gateway, now).register(world.gus);
    await jobs();
    await other.read();
    const id = await say(mia, mention(max, 'Max Member'), 'feast');
    expect(await received(phone)).toHaveLength(1);
    expect(await other.read()).toEqual([]);
    // Forgotten, as if the phone had been told long ago.
    await world.server.context.store.write((tx) => tx.db.deleteFrom('pushed_message').execute());
    await mia.patch(`/messages/${id}`, { content: `${mention(max, 'Max Member')} and @**all**` });
    expect(await received(phone)).toEqual([]);
    expect(await other.read()).toMatchObject([{ message_id: id, content: '@Max Member come and @all' }]);
    await mia.patch(`/messages/${id}`, { content: '@**all** once more' });
    expect([await received(phone), await other.read()]).toEqual([[], []]);
    const silent = await say(mia, 'so far @_**topic**', 'feast');
    await jobs();
    await world.gus.post('/messages', { type: 'channel', to: channel, topic: 'feast', content: 'I am here' });
    await mia.patch(`/messages/${silent}`, { content: 'now @**topic**' });
    await jobs();
    expect(await other.read()).toMatchObject([{ message_id: silent, content: 'now @topic' }]);
    // Who only follows the topic takes no part in it.
    expect((await phone.read()).map(({ content }) => content)).not.toContain('now @topic');
    await max.post('/user_topics', { stream_id: channel, topic: 'feast', visibility_policy: 0 });
  });

  it('reach everybody of a large channel in few requests', async () => {
    const people: Client[] = [];
    for (let count = 0; count < 230; count++) people.push(await world.user());
    const large = await subscribe('large', people);
    const phones = await Promise.all(people.slice(0, 30).map((person) => new Phone(gateway, now).register(person)));
    await jobs();
    gateway.takeSeen('');
    await world.olive.post('/messages', { type: 'channel', to: large, topic: 'x', content: '@**all** hello' });
    await jobs();
    for (const one of phones) expect(await one.read()).toMatchObject([{ content: '@all hello', channel_id: large }]);
    expect(gateway.takeSeen('/e2ee/notify')).toHaveLength(1);
  });

  it('do not name people to guests who may not know of them (protocol/events#audiences)', async () => {
    const { olive, gus, adam, realm } = world;
    const harbour = await subscribe('harbour', [olive, gus]);
    const device = await new Phone(gateway, now).register(gus);
    await jobs();
    const setAccess = (name: 'role:members' | 'role:everyone') =>
      olive.patch('/realm', { can_access_all_users_group: { new: realm.groups[name] } });
    await setAccess('role:members');
    const call = (from: Client) =>
      from.post('/messages', { type: 'stream', to: harbour, topic: 'tide', content: mention(gus, 'Gus Guest') });
    await call(adam);
    const shown = await received(device);
    await call(olive);
    shown.push(...(await received(device)));
    expect(shown).toMatchObject([
      { sender_full_name: 'Unknown user', sender_avatar_url: 'http://localhost:9991/user_avatars/unknown.png' },
      { sender_full_name: 'Olive Owner' },
    ]);
    await setAccess('role:everyone');
  });
});

describe.each(databases.filter((name) => name === 'postgres'))('two processes on %s', (database) => {
  it('show a message once', async () => {
    const clock = new TestClock();
    const gateway = await PushGateway.open(() => clock.now());
    const world = await openWorld(database, { clock, environment: { ROOST_PUSH_GATEWAY_URL: gateway.url } });
    const other = await world.anotherServer();
    const phone = await new Phone(gateway, () => clock.now()).register(world.max);
    for (const { context } of [world.server, other]) context.jobs.start(context);
    await Promise.all([world.server.context.jobs.idle(), other.context.jobs.idle()]);
    const sent = Array.from({ length: 10 }, (_, index) => String(index));
    for (const content of sent) await world.mia.post('/messages', { type: 'direct', to: [world.max.userId], content });
    for (const { context } of [world.server, other, world.server, other]) {
      context.jobs.wake();
      await context.jobs.idle();
    }
    const shown = (await phone.read()).map(({ content }) => content);
    expect(shown.toSorted((a, b) => Number(a) - Number(b))).toEqual(sent);
    await world.close();
    await gateway.close();
  });
});
