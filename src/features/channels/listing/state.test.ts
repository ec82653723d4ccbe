import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const DAY_MS = 86_400_000;

describe.each(databases)('channels at registering, on %s', (database) => {
  let world: World;
  const people: Client[] = [];
  let bot: Client;
  beforeAll(async () => {
    world = await openWorld(database);
    const { olive, mia } = world;
    while (people.length < 248) people.push(await world.user());
    bot = await world.user({ is_bot: true, bot_type: 1 });
    const subscribe = (name: string, principals: number[], parameters: Body = {}) =>
      olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...parameters });
    const all = [mia.userId, bot.userId, ...people.map((client) => client.userId)];
    await subscribe('large', all);
    await subscribe('small', all.slice(1));
    await subscribe('closed', [mia.userId], { invite_only: true });
  });
  afterAll(() => world.close());

  const channels = async (client: Client, list: string, parameters: Body = {}): Promise<readonly Body[]> =>
    (await client.register({ fetch_event_types: ['subscription'], ...parameters })).state[list];
  const named = (list: readonly Body[], name: string): Body => list.find((one) => one['name'] === name) ?? {};

  it('list everybody of a channel below 250 subscribers, above only bots and the lately active (protocol/subscriptions#subscriber-lists)', async () => {
    const { mia, clock } = world;
    const [awake, typing, idle, later] = people;
    clock.advance(0.8 * DAY_MS);
    await later?.post('/users/me/presence', { status: 'active' });
    clock.advance(13.9 * DAY_MS);
    const earlier = await channels(mia, 'subscriptions', { include_subscribers: 'partial' });
    expect(named(earlier, 'large')['partial_subscribers']).toContain(later?.userId);
    clock.advance(0.3 * DAY_MS);
    await awake?.post('/users/me/presence', { status: 'active' });
    await typing?.post('/users/me/presence', { status: 'idle', new_user_input: true });
    await idle?.post('/users/me/presence', { status: 'idle' });
    const partial = await channels(mia, 'subscriptions', { include_subscribers: 'partial' });
    const { partial_subscribers, subscribers, subscriber_count } = named(partial, 'large');
    expect(partial_subscribers).toEqual([mia.userId, awake?.userId, typing?.userId, bot.userId].toSorted(ascending));
    expect([subscribers, subscriber_count]).toEqual([undefined, 250]);
    const others = await channels(mia, 'never_subscribed', { include_subscribers: 'partial' });
    expect(named(others, 'small')['subscribers']).toHaveLength(249);
    expect(named(others, 'small')).not.toHaveProperty('partial_subscribers');
    const full = await channels(mia, 'subscriptions', { include_subscribers: true });
    expect(named(full, 'large')['subscribers']).toHaveLength(250);
    expect(named(full, 'large')).not.toHaveProperty('partial_subscribers');
    const none = named(await channels(mia, 'subscriptions'), 'large');
    expect([none['subscribers'], none['partial_subscribers'], none['subscriber_count']]).toEqual([
      undefined,
      undefined,
      250,
    ]);
  });

  it('fill in what was not chosen for clients that do not know null (protocol/register#capabilities)', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'quiet' }, { name: 'left' }] });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'quiet' });
    const chosen = { stream_id, property: 'push_notifications', value: false };
    await max.post('/users/me/subscriptions/properties', { subscription_data: [chosen] });
    await max.delete('/users/me/subscriptions', { subscriptions: ['left'] });
    await max.patch('/settings', { enable_stream_push_notifications: true, enable_stream_email_notifications: true });
    const told = async (list: string, name: string, parameters?: Body) => {
      const one = named(await channels(max, list, parameters), name);
      return [
        one['desktop_notifications'],
        one['email_notifications'],
        one['push_notifications'],
        one['audible_notifications'],
        one['wildcard_mentions_notify'],
      ];
    };
    expect(await told('subscriptions', 'quiet')).toEqual([false, true, false, false, null]);
    expect(await told('unsubscribed', 'left')).toEqual([false, true, true, false, null]);
    const capable = { client_capabilities: { notification_settings_null: true } };
    expect(await told('subscriptions', 'quiet', capable)).toEqual([null, null, false, null, null]);
    const [listed] = (await max.get('/users/me/subscriptions'))['subscriptions'];
    expect(listed).toMatchObject({ name: 'quiet', email_notifications: null });
  });

  it('list nobody to guests who are not subscribed, and private channels to those who may know (protocol/register#what-each-viewer-sees)', async () => {
    const { gus, adam, olive, max } = world;
    const { id } = await olive.post('/channels/create', { name: 'club', subscribers: [gus.userId, max.userId] });
    const of = (client: Client, list: string) => channels(client, list, { include_subscribers: true });
    expect(await of(gus, 'subscriptions')).toMatchObject([{ stream_id: id, subscribers: [max.userId, gus.userId] }]);
    expect(await of(gus, 'never_subscribed')).toEqual([]);
    expect(named(await of(adam, 'never_subscribed'), 'closed')['subscribers']).toEqual([world.mia.userId]);
    expect(named(await of(max, 'never_subscribed'), 'closed')).toEqual({});
  });

  it('of a user are told to others as far as they may know of them (protocol/users#operations)', async () => {
    const { mia, max, adam, gus } = world;
    const idsFor = async (client: Client) =>
      (await client.get(`/users/${mia.userId}/channels`))['subscribed_channel_ids'];
    const idOf = async (stream: string) => (await mia.get('/get_stream_id', { stream }))['stream_id'];
    const [large, closed] = [await idOf('large'), await idOf('closed')];
    for (const client of [mia, adam]) expect(await idsFor(client)).toEqual([large, closed]);
    expect(await idsFor(max)).toEqual([large]);
    expect(await idsFor(gus)).toEqual([]);
    expect((await max.refused('GET', '/users/999999/channels')).msg).toBe('No such user');
  });

  it('are for spectators those open to the web, as if subscribed (protocol/register#spectators)', async () => {
    const { olive, spectator, adam } = world;
    await olive.patch('/realm', { enable_spectator_access: true });
    const { channel_folder_id } = await adam.post('/channel_folders/create', { name: 'shown', description: '' });
    await adam.post('/channel_folders/create', { name: 'hidden', description: '' });
    const web = { is_web_public: true, subscribers: [olive.userId] };
    const { id } = await olive.post('/channels/create', { name: 'window', ...web, folder_id: channel_folder_id });
    const { id: gone } = await olive.post('/channels/create', { name: 'shut', ...web });
    await olive.delete(`/streams/${gone}`);
    await olive.post('/default_streams', { stream_id: id });
    const state = (await spectator.post('/register')) as Body;
    expect(state['subscriptions']).toMatchObject([
      {
        stream_id: id,
        name: 'window',
        is_web_public: true,
        subscriber_count: 1,
        stream_weekly_traffic: null,
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        desktop_notifications: true,
        email_notifications: true,
        push_notifications: true,
        audible_notifications: true,
        wildcard_mentions_notify: true,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      },
    ]);
    expect(state['subscriptions'][0]).not.toHaveProperty('subscribers');
    for (const field of ['unsubscribed', 'never_subscribed', 'realm_default_streams', 'realm_default_stream_groups'])
      expect(state[field]).toEqual([]);
    expect(state).not.toHaveProperty('streams');
    expect(state['channel_folders'].map((folder: Body) => folder['name'])).toEqual(['shown']);
    expect((await spectator.refused('POST', '/register', { include_subscribers: true })).msg).toBe(
      "Invalid 'include_subscribers' parameter for anonymous request",
    );
  });
});

const ascending = (a: number | undefined, b: number | undefined) => (a ?? 0) - (b ?? 0);
