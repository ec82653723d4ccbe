import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const path = (who: Client) => `/users/me/muted_users/${who.userId}`;

describe.each(databases)('muted users on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('are muted and heard again by one user, who alone hears of it (protocol/users#operations)', async () => {
    const { max, mia, gus, clock } = world;
    const first = clock.now();
    const [own, muted] = await expectSync([max, mia], async () => {
      await max.post(path(mia));
      clock.advance(60_000);
      await max.post(path(gus));
      await max.delete(path(mia));
    });
    const entries = [
      { id: mia.userId, timestamp: first },
      { id: gus.userId, timestamp: first + 60 },
    ];
    expect(own).toMatchObject([
      { type: 'muted_users', muted_users: entries.slice(0, 1) },
      { type: 'muted_users', muted_users: entries },
      { type: 'muted_users', muted_users: entries.slice(1) },
    ]);
    expect(muted).toEqual([]);
    const { state } = await max.register({ fetch_event_types: ['muted_users'] });
    expect(state['muted_users']).toEqual(entries.slice(1));
  });

  it('cannot be oneself, nobody, muted twice, or heard again twice', async () => {
    const { adam, mona, spectator } = world;
    const refused = async (method: 'POST' | 'DELETE', url: string) => (await adam.refused(method, url)).msg;
    expect(await refused('POST', path(adam))).toBe('Cannot mute self');
    expect(await refused('POST', '/users/me/muted_users/999999')).toBe('No such user');
    expect(await refused('DELETE', '/users/me/muted_users/999999')).toBe('No such user');
    expect(await refused('DELETE', path(adam))).toBe('User is not muted');
    await adam.post(path(mona));
    expect(await refused('POST', path(mona))).toBe('User already muted');
    await adam.delete(path(mona));
    expect(await refused('DELETE', path(mona))).toBe('User is not muted');
    expect((await spectator.request('POST', path(mona))).status).toBe(401);
  });

  it('are muted once when muted twice at once', async () => {
    const { olive, gus } = world;
    const replies = await Promise.all([olive.request('POST', path(gus)), olive.request('POST', path(gus))]);
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await olive.register()).state['muted_users']).toMatchObject([{ id: gus.userId }]);
  });

  it('may be bots', async () => {
    const { mona } = world;
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: null });
    await mona.post(path(bot));
    expect((await mona.register()).state['muted_users']).toMatchObject([{ id: bot.userId }]);
  });
});

describe.each(databases)('messages of muted users on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, gus } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId, gus.userId],
    });
  });
  afterAll(() => world.close());

  const send = async (who: Client, content: string) =>
    (await who.post('/messages', { type: 'channel', to: 'birds', topic: 'nests', content }))['id'];
  const direct = async (who: Client, to: readonly Client[], content: string) =>
    (await who.post('/messages', { type: 'direct', to: to.map((one) => one.userId), content }))['id'];
  const flagsOf = async (who: Client, id: number) =>
    (await who.get('/messages', { message_ids: [id] }))['messages'][0].flags;
  const unread = async (who: Client) => (await who.register()).state['unread_msgs'].count;

  it('that were unread are read with the muting, and stay read after it (protocol/users#operations)', async () => {
    const { max, mia, gus } = world;
    const before = await unread(max);
    const ids = [await send(mia, 'one'), await send(mia, '@**all** two'), await direct(mia, [max, gus], 'three')];
    const kept = await send(gus, 'four');
    expect(await unread(max)).toBe(before + 4);
    const queues = [await max.register(), await gus.register()] as const;
    await max.post(path(mia));
    expect(await queues[0].events()).toMatchObject([
      { type: 'muted_users' },
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids, all: false },
    ]);
    expect(await queues[1].events()).toEqual([]);
    expect(await unread(max)).toBe(before + 1);
    expect(await flagsOf(max, kept)).toEqual([]);
    await max.delete(path(mia));
    expect(await unread(max)).toBe(before + 1);
  });

  it('arrive as read for who muted them and receives them, in channels and conversations (protocol/messages#effects)', async () => {
    const { max, mia, gus, mona } = world;
    await max.post(path(mia));
    await mona.post(path(mia));
    const before = await unread(max);
    const queues = [];
    for (const who of [max, gus, mia]) queues.push(await who.register({ event_types: ['message'] }));
    const overhearing = await mona.register({ event_types: ['message'], all_public_streams: true });
    const channel = await send(mia, '@**Max Member** hello');
    const group = await direct(mia, [max, gus], 'hello');
    const flags = [];
    for (const queue of queues) flags.push((await queue.events()).map((event) => event['flags']));
    expect(flags).toEqual([
      [['read', 'mentioned'], ['read']],
      [[], []],
      [[], []],
    ]);
    expect(await overhearing.events()).toMatchObject([{ flags: [] }]);
    expect(await flagsOf(max, channel)).toEqual(['read', 'mentioned']);
    expect(await flagsOf(max, group)).toEqual(['read']);
    expect(await flagsOf(gus, channel)).toEqual([]);
    expect(await unread(max)).toBe(before);
    await max.delete(path(mia));
    expect(await flagsOf(max, await send(mia, 'heard again'))).toEqual([]);
  });
});
