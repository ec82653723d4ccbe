import { enqueue } from '#kernel/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { holdMails, writtenMails } from '../../../../test/support/mails.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { digestJob } from './jobs.ts';

const DAY_MS = 86_400_000;

describe.each(databases)('weekly mails on %s (protocol/mail#weekly)', (database) => {
  let world: World;
  let max: Client;
  let mia: Client;
  let kitchen: number;
  let seen = 0;

  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };
  const subscribe = async (name: string, people: readonly Client[], more: object = {}) => {
    const principals = people.map(({ userId }) => userId);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
    return (await world.olive.get('/get_stream_id', { stream: name }))['stream_id'] as number;
  };
  const say = async (from: Client, to: number, topic: string, content = 'hello') =>
    (await from.post('/messages', { type: 'channel', to, topic, content }))['id'] as number;
  /** Moves the clock to just after eight on the next day of the week, 0 Monday, and gives the mails of that morning. */
  const morning = async (weekday: number) => {
    const { clock, server, realm } = world;
    const midnight = clock.nowMs() - (clock.nowMs() % DAY_MS);
    const today = (new Date(midnight).getUTCDay() + 6) % 7;
    const ahead = ((weekday - today + 6) % 7) + 1;
    clock.advance(midnight + ahead * DAY_MS + 8 * 3_600_000 - clock.nowMs());
    await server.context.store.in(realm).write((tx) => enqueue(tx, digestJob, {}, { key: 'digest' }));
    await jobs();
    const all = writtenMails(world.dataDir);
    const fresh = all.slice(seen).filter((mail) => /^Subject: Last week in/m.test(mail));
    seen = all.length;
    return fresh;
  };
  const to = (mails: readonly string[], address: string) =>
    mails.find((mail) => mail.includes(`${address}@roost.test`));

  beforeEach(async () => {
    world = await openWorld(database);
    seen = 0;
    ({ max, mia } = world);
    kitchen = await subscribe('kitchen', [max, mia, world.adam, world.gus]);
    await world.olive.patch('/realm', { digest_emails_enabled: true, digest_weekday: 2 });
    world.clock.advance(30 * DAY_MS);
  });
  afterEach(() => world.close());

  it('name the topics with most people, then with most reactions, and new channels', async () => {
    await say(mia, kitchen, 'lonely');
    const loved = await say(mia, kitchen, 'loved');
    await world.adam.post(`/messages/${loved}/reactions`, { emoji_name: 'heart' });
    for (const person of [mia, world.adam]) await say(person, kitchen, 'busy');
    await subscribe('garden', [mia]);
    const mails = await morning(2);
    const mail = to(mails, 'member') ?? '';
    const order = ['#kitchen > busy', '#kitchen > loved', '#kitchen > lonely', 'New channels', '#garden'];
    const places = order.map((text) => mail.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    for (const text of ['2 people, 2 messages', '1 person, 1 message, 1 reaction', '/#narrow/channel/'])
      expect(mail).toContain(text);
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    // Guests are not told of channels that they may not see.
    expect(to(mails, 'guest')).toContain('#kitchen > busy');
    expect(to(mails, 'guest')).not.toContain('garden');
    expect(await morning(2)).toEqual([]);
  });

  it('go to nobody who was there, who wants none, or on other days', async () => {
    await say(mia, kitchen, 'busy');
    await world.adam.register();
    await world.adam.post('/users/me/presence', { status: 'active' });
    await mia.patch('/settings', { enable_digest_emails: false });
    const newcomer = await world.user({ email: 'new@roost.test' });
    expect(newcomer.userId).toBeGreaterThan(0);
    expect(await morning(1)).toEqual([]);
    const mails = await morning(2);
    expect(to(mails, 'member')).toContain('#kitchen > busy');
    for (const absent of ['admin', 'member2', 'new']) expect(to(mails, absent)).toBeUndefined();
    await world.olive.patch('/realm', { digest_emails_enabled: false });
    await say(mia, kitchen, 'again');
    expect(await morning(2)).toEqual([]);
  });

  it('tell nothing of muted topics, of channels that one left, or of what bots say', async () => {
    await say(mia, kitchen, 'quiet');
    await max.post('/user_topics', { stream_id: kitchen, topic: 'quiet', visibility_policy: 1 });
    const secret = await subscribe('cellar', [mia], { invite_only: true });
    await say(mia, secret, 'hidden');
    const mails = await morning(2);
    expect(to(mails, 'member@')).toBeUndefined();
    const mail = mails.find((one) => /^To: .*\bmember@roost/m.test(one));
    expect(mail).toBeUndefined();
    expect(to(mails, 'member2')).toContain('#cellar > hidden');
  });

  it('tell nothing of what was read or deleted, and nobody who was there, while the mail server was away', async () => {
    await say(mia, kitchen, 'kept');
    const deleted = await say(mia, kitchen, 'deleted');
    const read = await say(mia, kitchen, 'read');
    const release = holdMails(world.dataDir);
    expect(await morning(2)).toEqual([]);
    await max.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    await world.olive.delete(`/messages/${deleted}`);
    await world.gus.patch('/settings', { enable_digest_emails: false });
    await world.adam.register();
    await world.adam.post('/users/me/presence', { status: 'active' });
    release();
    world.clock.advance(120_000);
    await jobs();
    const mails = writtenMails(world.dataDir).filter((mail) => /^Subject: Last week in/m.test(mail));
    const own = mails.find((mail) => /^To: .*\bmember@roost/m.test(mail)) ?? '';
    expect(own).toContain('#kitchen > kept');
    expect(own).not.toMatch(/> (deleted|read)/);
    expect(to(mails, 'member2')).toContain('> read');
    for (const nobody of ['guest', 'admin']) expect(to(mails, nobody)).toBeUndefined();
  });

  it('end by a link that turns them off', async () => {
    await say(mia, kitchen, 'busy');
    const mail = to(await morning(2), 'admin') ?? '';
    const link = /open this address: http:\/\/localhost:9991(\/\S+)/.exec(mail)?.[1] ?? '';
    expect(link).toMatch(/^\/accounts\/unsubscribe\/digest\//);
    const visitor = new Visitor(world.server);
    expect(await visitor.post(link, { 'List-Unsubscribe': 'One-Click' })).toMatchObject({ status: 200 });
    const { state } = await world.adam.register({ fetch_event_types: ['user_settings'] });
    expect(state['user_settings']).toMatchObject({ enable_digest_emails: false, enable_login_emails: true });
    expect(await visitor.post(link.replace('digest', 'login'), {})).toMatchObject({ status: 404 });
  });

  it('tell of a sign-in with a browser that was not signed in, not of the next with the same', async () => {
    const letters = async () => {
      await jobs();
      return writtenMails(world.dataDir).filter((mail) => /^Subject: New sign-in to/m.test(mail));
    };
    const login = async () => {
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      await visitor.post('/login/', { username: 'owner@roost.test', password: 'roost-demo-password' });
    };
    await login();
    const [mail, ...more] = await letters();
    expect(more).toEqual([]);
    for (const text of ['owner@roost.test', 'From: ', 'change your password', '/accounts/unsubscribe/login/'])
      expect(mail).toContain(text);
    await login();
    expect(await letters()).toHaveLength(1);
    await world.spectator.post('/fetch_api_key', { username: 'owner@roost.test', password: 'roost-demo-password' });
    expect(await letters()).toHaveLength(2);
    await world.olive.patch('/settings', { enable_login_emails: false });
    await world.spectator.post('/fetch_api_key', { username: 'owner@roost.test', password: 'roost-demo-password' });
    expect(await letters()).toHaveLength(2);
  });
});
