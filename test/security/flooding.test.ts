import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { openWorld, type World } from '../support/world.ts';

const REFUSED = { status: 429, code: 'RATE_LIMIT_HIT' };

/** Makes 600 people. */
const crowdOf = (world: World, name: string) => insertPeople(world, 600, name);

/** What others get is limited for whoever sends it, also by people who may do it. */
describe.each(databases)('what one person makes for others is limited, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database, { rateLimits: 'on' });
  });
  afterAll(() => world.close());

  it('bots, but for administrators, and whatever was refused does not count', async () => {
    const { max, adam, mia } = world;
    const bot = (n: number) => ({ full_name: `Bot ${n}`, short_name: `bot${n}` });
    await max.post('/bots', bot(0));
    for (let n = 0; n < 3; n++) await max.refused('POST', '/bots', bot(0));
    for (let n = 1; n < 100; n++) await max.post('/bots', bot(n));
    expect(await max.refused('POST', '/bots', bot(100))).toMatchObject(REFUSED);
    await adam.post('/bots', bot(100));
    await mia.post('/bots', bot(101));
  });

  it('reports of messages', async () => {
    const { adam, max, mia, olive } = world;
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'moderation' }], invite_only: true });
    const { stream_id } = await adam.get('/get_stream_id', { stream: 'moderation' });
    await olive.patch('/realm', { moderation_request_channel_id: stream_id });
    const { id } = await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'psst' });
    const report = `/messages/${id}/report`;
    const spam = { report_type: 'spam' };
    for (let n = 0; n < 3; n++) await mia.refused('POST', '/messages/999999/report', spam);
    for (let n = 0; n < 60; n++) await mia.post(report, spam);
    expect(await mia.refused('POST', report, spam)).toMatchObject(REFUSED);
    await max.post(report, spam);
  });

  it('HTML of large messages, sent, edited and scheduled; ordinary ones go on', async () => {
    const { max, mia } = world;
    const to = { type: 'direct', to: [mia.userId] };
    const large = { ...to, content: ':a: '.repeat(2500) };
    const { id } = await max.post('/messages', large);
    const html = (await max.get(`/messages/${id}`)).message.content.length;
    const most = Math.floor(8192 / Math.ceil(html / 1024));
    for (let n = 1; n < most; n++) await max.post('/messages', large);
    const later = { ...large, scheduled_delivery_timestamp: 4_000_000_000 };
    expect(await max.refused('POST', '/messages', large)).toMatchObject(REFUSED);
    expect(await max.refused('PATCH', `/messages/${id}`, { content: large.content })).toMatchObject(REFUSED);
    expect(await max.refused('POST', '/scheduled_messages', later)).toMatchObject(REFUSED);
    await max.post('/messages', { ...to, content: 'word '.repeat(2000) });
    await mia.post('/messages', { ...large, to: [max.userId] });
  });

  it('direct messages to crowds, sent and scheduled; those to groups go on', async () => {
    const { max, mia } = world;
    const all = await crowdOf(world, 'sent');
    const crowd = { type: 'direct', to: all, content: 'psst' };
    const later = { ...crowd, scheduled_delivery_timestamp: 4_000_000_000 };
    for (let n = 0; n < 10; n++) await mia.post('/messages', crowd);
    for (let n = 0; n < 3; n++) await mia.post('/scheduled_messages', later);
    expect(await mia.refused('POST', '/messages', crowd)).toMatchObject(REFUSED);
    expect(await mia.refused('POST', '/scheduled_messages', later)).toMatchObject(REFUSED);
    await mia.post('/messages', { ...crowd, to: all.slice(0, 99) });
    await max.post('/messages', crowd);
  });
});

/** In an organization of its own, because all jobs of the tests above would run, too. */
describe.each(databases)('what one person schedules for others is limited, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database, { rateLimits: 'on' });
  });
  afterAll(() => world.close());

  it('direct messages to crowds that fall due at once, which are sent as the limit allows', async () => {
    const { adam, server, clock } = world;
    const all = (await crowdOf(world, 'due')).slice(0, 150);
    const { jobs, limits } = server.context;
    jobs.start(server.context);
    const waiting = async () => (await adam.get('/scheduled_messages'))['scheduled_messages'].length;
    const crowd = { type: 'direct', to: all, content: 'psst', scheduled_delivery_timestamp: clock.now() + 60 };
    await adam.post('/scheduled_messages', crowd);
    // Others have fallen due in this minute.
    await limits.take('crowd-message', String(adam.userId), 4970);
    // A statement that is running while the clock is advanced would count as one that hangs.
    await jobs.idle();
    clock.advance(60_000);
    await jobs.idle();
    expect(await waiting()).toBe(1);
    await limits.forgive('crowd-message', String(adam.userId));
    clock.advance(61_000);
    await jobs.idle();
    expect(await waiting()).toBe(0);
  });
});
