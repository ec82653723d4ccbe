import { insertUser } from '#features/users';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Milliseconds after which no further sequence is begun. */
const BUDGET_MS = 10_000;
/** Enough that a partial list leaves people out. See protocol/register#parameters. */
const CROWD = 260;
const DAY_SECONDS = 86_400;
/** Visibilities of an address: everyone, members, administrators, nobody, moderators. */
const VISIBILITIES = [1, 2, 3, 4, 5];
/** Channels whose texts are long enough to be compressed alone, and neighbours by name. */
const LONG = ['long a', 'long b', 'long c', 'long d', 'long e'];
const CHANNELS = ['general', 'secret', 'hidden past', 'open', 'closed', 'steered', ...LONG];

const VIEWS: readonly Body[] = [
  { include_subscribers: 'partial', client_gravatar: true },
  { include_subscribers: 'true', client_gravatar: false },
  { include_subscribers: 'false', slim_presence: true },
  {
    include_subscribers: 'partial',
    client_gravatar: false,
    client_capabilities: {
      notification_settings_null: true,
      archived_channels: true,
      include_deactivated_groups: true,
      linkifier_url_template: true,
      user_list_incomplete: true,
    },
  },
  { fetch_event_types: ['realm_user', 'stream', 'subscription'], include_subscribers: 'true' },
];

/** What differs from one registration to the next, or from one mode to the other. */
const PASSING = new Set([
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'development_environment',
  'realm_authentication_methods',
]);

describe.each(databasesInTurn(import.meta.url))('state shared between viewers on %s', (database) => {
  let world: World;
  let viewers: Client[];
  let channelIds: Map<string, number>;
  let groupId: number;
  let fieldId: number;
  let linkifiers = 0;

  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    const { olive, adam, mona, max, mia, gus, realm, server, clock } = world;
    const crowd = await server.context.store.in(realm).write(async (tx) => {
      const ids: number[] = [];
      for (let i = 0; i < CROWD; i++)
        ids.push(
          (
            await insertUser(tx, {
              realm_id: realm.id,
              email: `crowd-${i}@roost.test`,
              full_name: `Crowd ${i}`,
              role: 400,
              avatar_source: i % 2 === 0 ? 'G' : 'J',
              email_address_visibility: VISIBILITIES[i % VISIBILITIES.length] ?? 1,
            })
          ).id,
        );
      return ids;
    });
    const shy = await Promise.all(
      VISIBILITIES.map((email_address_visibility) => world.user({ email_address_visibility, avatar_source: 'G' })),
    );
    const guest = await world.user({ role: 600, email_address_visibility: 3 });
    const bot = await olive.post('/bots', { full_name: 'Bot', short_name: 'bot' });
    viewers = [olive, adam, mona, max, mia, gus, ...shy, guest];
    const named = (name: string) => [{ name }];
    const principals = [...crowd, ...[adam, max, gus, ...shy.slice(0, 2), guest].map((client) => client.userId)];
    await olive.post('/users/me/subscriptions', { subscriptions: named('general'), principals });
    await max.post('/users/me/subscriptions', {
      subscriptions: named('secret'),
      invite_only: true,
      principals: [max.userId, mona.userId, guest.userId],
    });
    await mia.post('/users/me/subscriptions', {
      subscriptions: named('hidden past'),
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await olive.patch('/realm', { enable_spectator_access: true });
    for (const name of ['open', 'closed', 'steered'])
      await olive.post('/users/me/subscriptions', {
        subscriptions: named(name),
        invite_only: name === 'steered',
        is_web_public: name === 'open',
      });
    for (const [index, name] of LONG.entries())
      await (index === 1 ? max : olive).post('/users/me/subscriptions', {
        subscriptions: [{ name, description: `${name} `.repeat(140) }],
        invite_only: index === 3,
      });
    channelIds = new Map(
      (await olive.get('/streams')).streams.map((row: Body): [string, number] => [row['name'], row['stream_id']]),
    );
    await olive.delete(`/streams/${channelIds.get('closed')}`);
    groupId = (
      await olive.post('/user_groups/create', { name: 'stewards', description: '', members: [mia.userId, mona.userId] })
    ).group_id;
    await olive.patch(`/streams/${channelIds.get('steered')}`, {
      can_administer_channel_group: { new: groupId },
    });
    fieldId = (await olive.post('/realm/profile_fields', { name: 'Phone', field_type: 1 })).id;
    await max.patch('/users/me/profile_data', { data: [{ id: fieldId, value: '12' }] });
    await olive.delete(`/users/${crowd[3]}`);
    // Nobody of the crowd has been there lately; some of the viewers have.
    clock.advance(17 * DAY_SECONDS * 1000);
    for (const client of [olive, mona, shy[0]]) await client?.post('/users/me/presence', { status: 'active' });
    viewers.push(
      world.clientOf({ id: bot['user_id'], email: bot['email'] ?? 'bot-bot@localhost', api_key_version: 1 }),
    );
  });
  afterAll(() => world.close());

  const register = async (client: Client, view: Body): Promise<Body> => {
    const { state } = await client.register(view);
    return Object.fromEntries(Object.entries(state).filter(([name]) => !PASSING.has(name)));
  };

  /** The same read afresh, as in development nothing is kept. */
  const afresh = async (client: Client, view: Body): Promise<Body> => {
    const facts: { mode: string } = world.server.context.server;
    facts.mode = 'development';
    try {
      return await register(client, view);
    } finally {
      facts.mode = 'production';
    }
  };

  const assertSame = async (client: Client, view: Body) => {
    expect(await register(client, view)).toEqual(await afresh(client, view));
  };

  it('is for everybody what they would read alone', async () => {
    for (const view of VIEWS) {
      const found = await Promise.all(viewers.map((client) => register(client, view)));
      for (const [index, client] of viewers.entries()) expect(found[index]).toEqual(await afresh(client, view));
    }
  });

  it('is for everybody what they would read alone where guests do not know everybody', async () => {
    const { olive, realm } = world;
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    for (const client of viewers) for (const view of VIEWS) await assertSame(client, view);
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:everyone'] } });
  });

  it('tells at once who comes back after weeks (protocol/register#parameters)', async () => {
    const { adam, gus, mia, mona } = world;
    const view = { include_subscribers: 'partial' };
    const listed = async (client: Client): Promise<number[]> => {
      const { subscriptions, never_subscribed } = await register(client, view);
      return [...subscriptions, ...never_subscribed].find((row: Body) => row['name'] === 'general').partial_subscribers;
    };
    const pings: readonly [Client, Body][] = [
      [adam, { status: 'active' }],
      [gus, { status: 'idle', new_user_input: true }],
    ];
    for (const [client, ping] of pings) {
      expect(await listed(mia)).not.toContain(client.userId);
      await client.post('/users/me/presence', ping);
      expect(await listed(mia)).toContain(client.userId);
      expect(await listed(mona)).toContain(client.userId);
    }
  });

  /** Changes of every kind; refusals are part of it. */
  const acts: readonly ((one: Client, channel: string, number: number) => Promise<unknown>)[] = [
    (one, channel, number) =>
      one.request('POST', '/messages', { type: 'channel', to: channel, topic: 't', content: `text ${number}` }),
    (one, channel) => one.request('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] }),
    (one, channel) => one.request('DELETE', '/users/me/subscriptions', { subscriptions: [channel] }),
    (one, channel) =>
      world.olive.request('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: channel }],
        principals: [one.userId],
      }),
    (one, _channel, number) => one.request('PATCH', '/settings', { email_address_visibility: 1 + (number % 5) }),
    (one, _channel, number) => one.request('PATCH', '/settings', { full_name: `Somebody ${number}` }),
    (one, _channel, number) =>
      one.request('PATCH', '/users/me/profile_data', { data: [{ id: fieldId, value: String(number) }] }),
    (one, _channel, number) =>
      world.olive.request('PATCH', `/users/${one.userId}`, { role: [300, 400, 600][number % 3] }),
    (_one, channel, number) =>
      world.olive.request('PATCH', `/streams/${channelIds.get(channel)}`, { description: `about ${number}` }),
    (_one, channel, number) =>
      world.olive.request('PATCH', `/streams/${channelIds.get(channel)}`, { is_private: number % 2 === 0 }),
    (_one, channel, number) =>
      world.olive.request('PATCH', `/streams/${channelIds.get(channel)}`, { is_archived: number % 2 === 0 }),
    (one, _channel, number) =>
      world.olive.request('POST', `/user_groups/${groupId}/members`, {
        [number % 2 === 0 ? 'add' : 'delete']: [one.userId],
      }),
    (_one, _channel, number) =>
      world.olive.request('PATCH', '/realm', { name: `Roost ${number}`, waiting_period_threshold: number % 20 }),
    (_one, _channel, number) =>
      world.olive.request('PATCH', '/realm', {
        can_access_all_users_group: { new: world.realm.groups[number % 2 === 0 ? 'role:members' : 'role:everyone'] },
      }),
    () =>
      world.olive.request('POST', '/realm/filters', { pattern: `x${++linkifiers}`, url_template: 'https://x.test' }),
    (_one, _channel, number) =>
      world.olive.request('POST', '/channel_folders/create', { name: `folder ${number}`, description: '' }),
    async () => {
      const { userId } = await world.user();
      await world.olive.request('DELETE', `/users/${userId}`);
      await world.olive.request('POST', `/users/${userId}/reactivate`);
    },
    (one) => one.request('POST', '/users/me/presence', { status: 'active' }),
    (one, _channel, number) =>
      one.request('PATCH', '/settings', { enable_stream_push_notifications: number % 2 === 0 }),
    (one, channel, number) =>
      one.request('POST', '/users/me/subscriptions/properties', {
        subscription_data: [
          { stream_id: channelIds.get(channel), property: 'push_notifications', value: number % 2 === 0 },
        ],
      }),
    async (_one, _channel, number) => {
      world.clock.advance((number % 40) * 1000);
      // The clock has begun to write pings that were answered before; this waits for it.
      await world.olive.request('GET', '/realm/presence');
    },
  ];

  it('follows every change', async () => {
    const step = fc.record({
      act: fc.nat(acts.length - 1),
      one: fc.nat(viewers.length - 2),
      looker: fc.nat(viewers.length - 1),
      channel: fc.constantFrom(...CHANNELS),
      view: fc.nat(VIEWS.length - 1),
      number: fc.nat(1000),
    });
    const deadline = performance.now() + BUDGET_MS;
    const person = (index: number) => viewers[index] ?? world.max;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        if (performance.now() > deadline) return;
        for (const { act, one, looker, channel, view, number } of steps) {
          // Somebody has read before the change, so that there is something to be outdated.
          await register(person(looker + 1), VIEWS[view] ?? {});
          await acts[act]?.(person(one), channel, number);
          await assertSame(person(looker), VIEWS[view] ?? {});
        }
      }),
      { numRuns: 12 },
    );
  });
});
