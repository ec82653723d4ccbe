import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { holdMails, writtenMails } from '../../../../test/support/mails.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import type { Server } from '../../../../src/server.ts';

const PERIOD_MS = 120_000;

describe.each(databases)('mails about missed messages on %s', (database) => {
  let world: World;
  let max: Client;
  let mia: Client;

  beforeEach(async () => {
    world = await openWorld(database);
    ({ max, mia } = world);
  });
  afterEach(() => world.close());

  const jobs = async (server: Server = world.server) => {
    server.context.jobs.start(server.context);
    server.context.jobs.wake();
    await server.context.jobs.idle();
  };
  const direct = async (from: Client, to: Client, content: string): Promise<number> => {
    const { id } = await from.post('/messages', { type: 'direct', to: [to.userId], content });
    await jobs();
    return id;
  };
  /** Mails that came since the last call, after the time for which messages are gathered. */
  let seen = 0;
  beforeEach(() => {
    seen = 0;
  });
  const mails = async (ms = PERIOD_MS) => {
    await jobs();
    world.clock.advance(ms);
    await jobs();
    const all = writtenMails(world.dataDir);
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  };
  const subscribe = async (people: readonly Client[]) => {
    const principals = people.map(({ userId }) => userId);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }], principals });
    await mails();
    return (await world.olive.get('/get_stream_id', { stream: 'kitchen' }))['stream_id'] as number;
  };
  const leaveLink = (mail: string | undefined) =>
    /open this address: http:\/\/localhost:9991(\/\S+)/.exec(mail ?? '')?.[1];

  it('leave once for what came meanwhile, when it is still unread', async () => {
    await direct(mia, max, 'one **bold** <b>');
    await direct(world.adam, max, 'two');
    const read = await direct(mia, max, 'three, read');
    await max.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    expect(await mails(PERIOD_MS - 1000)).toEqual([]);
    const both = (await mails(1000)).toSorted();
    const about = (name: string) => both.find((mail) => mail.includes(`Direct messages with ${name}`)) ?? '';
    expect(both).toHaveLength(2);
    for (const [name, text] of [
      ['Mia Member', 'Mia Member: one bold <b>'],
      ['Adam Admin', 'Adam Admin: two'],
    ] as const) {
      expect(about(name)).toMatch(/^To: .*member@roost.test/m);
      expect(about(name)).toContain(`Subject: Direct messages with ${name}`);
      for (const part of ['you missed a message in Roost Test', text, '/#narrow/dm/'])
        expect(about(name)).toContain(part);
    }
    const mail = both.join('\n');
    expect(mail).not.toContain('three');
    expect(await mails()).toEqual([]);
  });

  it('have a form for reading on a phone, and are one thread for each conversation', async () => {
    const rootOf = (mail: string | undefined) => /^References: (<conversation-\w+@\S+>)\r?$/m.exec(mail ?? '')?.[1];
    await direct(mia, max, 'one <b>');
    const [first] = await mails();
    expect(first).toContain('Content-Type: text/plain');
    expect(first).toContain('Content-Type: text/html');
    expect(first).toContain('<strong>Mia Member</strong>');
    expect(first).toContain('one &lt;b&gt;</div>');
    await direct(mia, max, 'two');
    const [second] = await mails();
    await direct(world.adam, max, 'three');
    const [other] = await mails();
    expect(rootOf(first)).toBeDefined();
    expect(rootOf(second)).toBe(rootOf(first));
    expect(rootOf(other)).not.toBe(rootOf(first));
  });

  it('say what a poll asks or a list is about, and what somebody does, instead of commands', async () => {
    const poll = await direct(mia, max, '/poll Which <bird>?\nA rook\nA wren');
    const question = JSON.stringify({ type: 'question', question: 'Which owl?' });
    await mia.post('/submessage', { message_id: poll, msg_type: 'widget', content: question });
    await direct(mia, max, '/todo Before the release\nTell everybody');
    await direct(mia, max, '/todo');
    await direct(mia, max, '/me looks at the sky');
    const [mail = ''] = await mails();
    for (const said of ['Poll: Which owl?', 'To-do list: Before the release', 'looks at the sky']) {
      expect(mail).toContain(`Mia Member: ${said}`);
      expect(mail).toContain(`>${said}</div>`);
    }
    expect(mail).toMatch(/^Mia Member: To-do list\r?$/m);
    expect(mail).not.toMatch(/\/poll|\/todo|\/me|Which <bird>|Tell everybody/);
  });

  it('share the last one when there are very many conversations', async () => {
    const people = await Promise.all(Array.from({ length: 25 }, () => world.user()));
    for (const person of people) await direct(person, max, 'hello');
    const all = await mails();
    expect(all).toHaveLength(20);
    expect(all.filter((mail) => /^Subject: New messages/m.test(mail))).toEqual([
      expect.stringContaining('you missed 6 messages'),
    ]);
  });

  it('wait as long as the person says', async () => {
    await max.patch('/settings', { email_notifications_batching_period_seconds: 600 });
    await direct(mia, max, 'slow');
    await direct(max, mia, 'quick');
    expect(await mails()).toMatchObject([expect.stringContaining('Max Member: quick')]);
    expect(await mails(479_000)).toEqual([]);
    expect(await mails(1_000)).toMatchObject([expect.stringContaining('Mia Member: slow')]);
  });

  it('go to nobody who is here or has come back, nor about what was deleted', async () => {
    const arrive = async () => {
      await max.register();
      await max.post('/users/me/presence', { status: 'active' });
    };
    await arrive();
    await direct(mia, max, 'while here');
    expect(await mails()).toEqual([]);
    world.clock.advance(600_000);
    await direct(mia, max, 'away');
    await jobs();
    world.clock.advance(60_000);
    await arrive();
    expect(await mails(60_000)).toEqual([]);
    world.clock.advance(600_000);
    const id = await direct(mia, max, 'taken back');
    await world.olive.delete(`/messages/${id}`).catch(() => mia.delete(`/messages/${id}`));
    expect(await mails()).toEqual([]);
    await direct(mia, max, 'away again');
    expect(await mails()).toHaveLength(1);
  });

  it('do not name people to guests who may not know of them (protocol/events#audiences)', async () => {
    const { olive, gus, realm } = world;
    const channel = await subscribe([olive, max, gus]);
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    for (const [from, topic] of [
      [mia, 'tide'],
      [max, 'wind'],
    ] as const)
      await from.post('/messages', { type: 'stream', to: channel, topic, content: `@**|${gus.userId}** come` });
    const mail = (await mails()).join('\n');
    expect(mail).toMatch(/^To: .*guest@roost.test/m);
    expect(mail).toContain('Unknown user: ');
    expect(mail).toContain('Max Member: ');
    expect(mail).not.toContain('Mia');
  });

  it('tell nothing of what was read, deleted or changed while the mail server was away', async () => {
    const release = holdMails(world.dataDir);
    const read = await direct(mia, max, 'read');
    await direct(mia, max, 'unread');
    const deleted = await direct(world.adam, max, 'deleted');
    const changed = await direct(world.olive, max, 'chnaged');
    await direct(max, mia, 'to one who is back');
    await direct(max, world.adam, 'to one who wants none');
    world.clock.advance(PERIOD_MS);
    await jobs();
    await max.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    await world.adam.delete(`/messages/${deleted}`);
    await world.olive.patch(`/messages/${changed}`, { content: 'changed' });
    await world.adam.patch('/settings', { enable_offline_email_notifications: false });
    await mia.register();
    await mia.post('/users/me/presence', { status: 'active' });
    release();
    const left = await mails();
    const about = (name: string) => left.find((mail) => mail.includes(`Subject: Direct messages with ${name}`)) ?? '';
    expect(left).toHaveLength(2);
    expect(about('Mia Member')).toContain('you missed a message in');
    expect(about('Mia Member')).toContain('Mia Member: unread');
    expect(about('Olive Owner')).toContain('Olive Owner: changed');
    expect(await mails()).toEqual([]);
  });

  it('tell of mentions, followed topics and channels as settings have it', async () => {
    const id = await subscribe([max, mia, world.gus]);
    const say = (content: string, topic: string) => mia.post('/messages', { type: 'channel', to: id, topic, content });
    await say('to nobody', 'lunch');
    expect(await mails()).toEqual([]);
    await max.post('/user_topics', { stream_id: id, topic: 'lunch', visibility_policy: 3 });
    await say('to followers', 'lunch');
    const [mail] = await mails();
    expect(mail).toMatch(/^Subject: #kitchen > lunch\r?$/m);
    expect(mail).toContain('Mia Member: to followers');
    await max.patch('/settings', { enable_followed_topic_email_notifications: false });
    await say('to followers', 'lunch');
    expect(await mails()).toEqual([]);
    await say(`@**Max Member|${max.userId}** look`, 'else');
    expect(await mails()).toHaveLength(1);
    await max.patch('/settings', { enable_offline_email_notifications: false });
    await say(`@**Max Member|${max.userId}** look`, 'else');
    expect(await mails()).toEqual([]);
    await max.patch('/settings', { enable_stream_email_notifications: true });
    await say('to the channel', 'third');
    expect(await mails()).toMatchObject([expect.stringContaining('to the channel')]);
  });

  it('tell nothing of a channel that was left meanwhile', async () => {
    const principals = [max.userId, mia.userId];
    const subscriptions = [{ name: 'secret' }];
    await world.olive.post('/users/me/subscriptions', { subscriptions, principals, invite_only: true });
    await mails();
    const content = `@**Max Member|${max.userId}** between us`;
    const say = () => mia.post('/messages', { type: 'channel', to: 'secret', topic: 'x', content });
    await say();
    expect(await mails()).toHaveLength(1);
    await say();
    await jobs();
    await max.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
    expect(await mails()).toEqual([]);
  });

  it('keep what was written to themselves where that is wished', async () => {
    await max.patch('/settings', { message_content_in_email_notifications: false });
    await direct(mia, max, 'very private');
    const [hidden] = await mails();
    expect(hidden).toMatch(/^Subject: New messages\r?$/m);
    expect(hidden).not.toMatch(/private|Mia/);
    await world.olive.patch('/realm', { message_content_allowed_in_email_notifications: false });
    await direct(max, mia, 'private too');
    expect((await mails())[0]).not.toMatch(/private|Max Member:/);
  });

  it('name the organization when the person wants it', async () => {
    await max.patch('/settings', { realm_name_in_email_notifications_policy: 2 });
    await direct(mia, max, 'hello');
    expect((await mails())[0]).toMatch(/^Subject: Direct messages with Mia Member \[Roost Test\]\r?$/m);
  });

  it('cannot be made to say anything in their fields', async () => {
    const eve = await world.user({ full_name: 'Eve\r\nBcc: all@roost.test' });
    await direct(eve, max, 'hello\r\n.\r\nBcc: all@roost.test');
    const [mail] = await mails();
    expect(mail?.split(/\r?\n\r?\n/)[0]).not.toMatch(/^Bcc/im);
  });

  it('end by a link that works without logging in, asks first, and is good for one person only', async () => {
    await direct(mia, max, 'hello');
    const [mail] = await mails();
    const link = leaveLink(mail) ?? '';
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const queue = await max.register();
    const visitor = new Visitor(world.server);
    expect((await visitor.get(link)).text).toContain('Get no more mails');
    expect(await queue.events()).toEqual([]);
    await direct(mia, max, 'gathered before');
    const other = link.replace(`/${max.userId}-`, `/${mia.userId}-`);
    expect(other).not.toBe(link);
    for (const wrong of [other, `${link}x`, link.slice(0, -1), `${link.slice(0, link.lastIndexOf('/'))}/x`]) {
      expect((await visitor.get(wrong)).status).toBe(404);
      expect((await visitor.post(wrong, {})).status).toBe(404);
    }
    // What a mail program sends: no cookie, no token of a form.
    expect(await new Visitor(world.server).post(link, { 'List-Unsubscribe': 'One-Click' })).toMatchObject({
      status: 200,
    });
    const changed = (await queue.events()).filter(({ type }) => type === 'user_settings');
    expect(changed).toMatchObject([
      { property: 'enable_followed_topic_email_notifications', value: false },
      { property: 'enable_offline_email_notifications', value: false },
    ]);
    expect(await mails()).toEqual([]);
    await direct(mia, max, 'afterwards');
    expect(await mails()).toEqual([]);
    expect((await visitor.get(link)).status).toBe(200);
  });
});

describe.each(databases.filter((name) => name === 'postgres'))('two processes on %s', (database) => {
  it('send each mail once', async () => {
    const world = await openWorld(database);
    const other = await world.anotherServer();
    const servers = [world.server, other];
    for (const { context } of servers) context.jobs.start(context);
    const people = await Promise.all(Array.from({ length: 8 }, () => world.user()));
    for (const person of people)
      await world.mia.post('/messages', { type: 'direct', to: [person.userId], content: 'hello' });
    const settle = async () => {
      for (const { context } of [...servers, ...servers]) {
        context.jobs.wake();
        await context.jobs.idle();
      }
    };
    await settle();
    world.clock.advance(PERIOD_MS);
    await Promise.all(servers.map(({ context }) => context.jobs.idle()));
    await settle();
    // A job that was stored anew while it ran is free again after its lease.
    world.clock.advance(PERIOD_MS + 5_000);
    await settle();
    expect(writtenMails(world.dataDir)).toHaveLength(people.length);
    await world.close();
  });

  it('end by a link that a process made which is no more', async () => {
    const world = await openWorld(database);
    const { max, mia, clock } = world;
    world.server.context.jobs.start(world.server.context);
    await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'hello' });
    await world.server.context.jobs.idle();
    clock.advance(PERIOD_MS);
    await world.server.context.jobs.idle();
    const [mail] = writtenMails(world.dataDir);
    const link = /open this address: http:\/\/localhost:9991(\/\S+)/.exec(mail ?? '')?.[1] ?? '';
    const later = await world.anotherServer();
    expect((await new Visitor(later).post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    const { state } = await max.register({ fetch_event_types: ['user_settings'] });
    expect(state['user_settings']['enable_offline_email_notifications']).toBe(false);
    await world.close();
  });
});
