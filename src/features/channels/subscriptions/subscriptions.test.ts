import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { leastStatements } from '../../../../test/support/statements.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const kinds = (events: readonly Body[]) =>
  events.map((event) => [event['type'], event['op']].filter(Boolean).join('/'));

describe.each(databases)('subscriptions on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const idOf = async (client: Client, name: string): Promise<number> => {
    const { subscriptions } = await client.get('/users/me/subscriptions');
    return subscriptions.find((one: Body) => one['name'] === name)?.stream_id;
  };

  it('creates a public channel and subscribes people in one request (protocol/subscriptions#subscribing)', async () => {
    const { max, mia, gus, mona } = world;
    const [, , maxEvents = [], miaEvents = [], gusEvents = [], monaEvents = []] = await expectSync(
      [world.olive, world.adam, max, mia, gus, mona],
      async () => {
        const reply = await max.post('/users/me/subscriptions', {
          subscriptions: [{ name: ' Birds ', description: 'all\nof them', color: '#ABC' }],
          principals: [max.userId, mia.userId, gus.userId],
        });
        expect(reply).toMatchObject({
          subscribed: { [max.userId]: ['Birds'], [mia.userId]: ['Birds'], [gus.userId]: ['Birds'] },
          already_subscribed: {},
          new_subscription_messages_sent: true,
        });
        expect(reply).not.toHaveProperty('unauthorized');
      },
    );
    for (const own of [maxEvents, miaEvents, gusEvents])
      expect(kinds(own).slice(0, 2)).toEqual(['stream/create', 'subscription/add']);
    expect(kinds(monaEvents).slice(0, 2)).toEqual(['stream/create', 'subscription/peer_add']);
    expect(maxEvents[1]?.['subscriptions']).toMatchObject([
      { name: 'Birds', description: 'all of them', color: '#aabbcc', subscriber_count: 3 },
    ]);
    expect(monaEvents[1]).toMatchObject({ user_ids: [max.userId, mia.userId, gus.userId].toSorted((a, b) => a - b) });
  });

  it('tells a guest nothing of a public channel it is not in', async () => {
    const { max, gus, mia } = world;
    const [gusEvents, miaEvents] = await expectSync([gus, mia], () =>
      max.post('/users/me/subscriptions', { subscriptions: [{ name: 'Members' }] }),
    );
    expect(kinds(miaEvents ?? []).slice(0, 2)).toEqual(['stream/create', 'subscription/peer_add']);
    expect(gusEvents).toEqual([]);
  });

  it('makes and ends at most 10,000 subscriptions to several channels in one request', async () => {
    const principals = Array.from({ length: 1000 }, (_, index) => 1_000_000 + index);
    const names = Array.from({ length: 11 }, (_, index) => `many ${index}`);
    const refused = { code: 'BAD_REQUEST', msg: 'subscriptions is too long (limit: 10 values)' };
    for (const [method, all] of [
      ['POST', names.map((name) => ({ name }))],
      ['DELETE', names],
    ] as const) {
      const call = (subscriptions: readonly unknown[], more: object = { principals }) =>
        world.max.request(method, '/users/me/subscriptions', { subscriptions, ...more });
      expect((await call(all)).body).toMatchObject(refused);
      expect((await call(all.slice(1))).body).not.toMatchObject(refused);
      expect((await call(all, {})).body).not.toMatchObject(refused);
      const everybody = { principals: Array.from({ length: 10_001 }, (_, index) => 1_000_000 + index) };
      expect((await call(all, everybody)).body.msg).toBe('subscriptions is too long (limit: 1 values)');
      expect((await call(all.slice(10), everybody)).body.msg).not.toContain('too long');
    }
  });

  it('makes and ends thousands in parts, of which everybody hears everything', async () => {
    const { max, mia, mona, gus, adam } = world;
    const names = Array.from({ length: 850 }, (_, index) => `part ${index}`);
    const principals = [max.userId, mia.userId, mona.userId];
    const [, before] = await expectSync([mia, max, gus], () =>
      max.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), principals }),
    );
    expect(before?.filter(({ type, op }) => type === 'subscription' && op === 'add')).toHaveLength(2);
    const mine = () => mia.get('/users/me/subscriptions');
    expect((await mine()).subscriptions.length).toBeGreaterThanOrEqual(850);
    await expectSync([adam, gus], () => adam.delete('/users/me/subscriptions', { subscriptions: names, principals }));
    expect((await mine()).subscriptions.length).toBeLessThan(850);
  });

  it('is idempotent: a second request changes and announces nothing', async () => {
    const { max, mia } = world;
    const [events] = await expectSync([mia], async () => {
      const reply = await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'bIRDS', color: '#000000' }] });
      expect(reply).toMatchObject({ subscribed: {}, already_subscribed: { [max.userId]: ['Birds'] } });
    });
    expect(events).toEqual([]);
  });

  it('shows a private channel to its people and to administrators only', async () => {
    const { max, mia, gus, adam, mona } = world;
    const all = await expectSync([max, gus, adam, mona, mia], () =>
      max.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'Secret' }],
        invite_only: true,
        principals: [max.userId, gus.userId],
      }),
    );
    const heard = all.map((events) => kinds(events).filter((kind) => kind !== 'message'));
    expect(heard).toEqual([
      ['stream/create', 'subscription/add'],
      ['stream/create', 'subscription/add'],
      ['stream/create', 'subscription/peer_add'],
      [],
      [],
    ]);
    expect(await mia.refused('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] })).toMatchObject(
      { code: 'BAD_REQUEST', msg: 'Unable to access channel (Secret).' },
    );
    const { unauthorized, subscribed } = await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      authorization_errors_fatal: false,
    });
    expect({ unauthorized, subscribed }).toEqual({ unauthorized: ['Secret'], subscribed: {} });
    const [miaEvents = [], monaEvents] = await expectSync([mia, mona, adam, max], () =>
      max.post('/users/me/subscriptions', { subscriptions: [{ name: 'Secret' }], principals: ['member2@roost.test'] }),
    );
    expect(kinds(miaEvents).slice(0, 2)).toEqual(['stream/create', 'subscription/add']);
    expect(monaEvents).toEqual([]);
  });

  it('names channels in the order of the request (protocol/subscriptions#subscribing-checks, step 14)', async () => {
    const { max, mia } = world;
    const [high, middle, low] = [{ name: 'zenith' }, { name: 'middle' }, { name: 'abyss' }];
    await max.post('/users/me/subscriptions', { subscriptions: [low, middle, high], invite_only: true });
    const ask = (subscriptions: Body[], authorization_errors_fatal: boolean) =>
      mia.request('POST', '/users/me/subscriptions', { subscriptions, authorization_errors_fatal });
    const first = async (subscriptions: Body[]) => (await ask(subscriptions, true)).body['msg'];
    expect(await first([high, low, middle])).toBe('Unable to access channel (zenith).');
    expect(await first([middle, high, low])).toBe('Unable to access channel (middle).');
    expect((await ask([high, low, middle], false)).body['unauthorized']).toEqual(['zenith', 'abyss', 'middle']);
    const subscriptions = ['middle', 'zenith', 'abyss'];
    const { removed } = await max.delete('/users/me/subscriptions', { subscriptions });
    expect(removed).toEqual(subscriptions);
  });

  it('takes the channel away from who leaves a private one, and brings old properties back', async () => {
    const { max, mia, adam } = world;
    const stream_id = await idOf(mia, 'Secret');
    await mia.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property: 'color', value: '#ABCDEF' }],
    });
    const [miaEvents, maxEvents] = await expectSync([mia, max, adam], async () => {
      expect(await mia.delete('/users/me/subscriptions', { subscriptions: ['secret'] })).toMatchObject({
        removed: ['Secret'],
        not_removed: [],
      });
    });
    expect(miaEvents).toMatchObject([
      { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name: 'Secret' }] },
      { type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] },
    ]);
    expect(maxEvents).toMatchObject([{ op: 'peer_remove', stream_ids: [stream_id], user_ids: [mia.userId] }]);
    expect((await mia.refused('GET', `/streams/${stream_id}`)).msg).toBe('Invalid channel ID');
    expect((await mia.refused('DELETE', '/users/me/subscriptions', { subscriptions: ['Secret', 'No'] })).msg).toBe(
      'Channel(s) (Secret, No) do not exist',
    );
    const [again = []] = await expectSync([mia], () =>
      max.post('/users/me/subscriptions', { subscriptions: [{ name: 'Secret' }], principals: [mia.userId] }),
    );
    expect(again[1]?.['subscriptions']).toMatchObject([{ color: '#abcdef' }]);
  });

  it('takes the bots of who is put out of a private channel along, who have their keys', async () => {
    const { max, mia, adam } = world;
    const bots: number[] = [];
    for (const [owner, short_name] of [
      [max, 'ear'],
      [mia, 'hand'],
    ] as const)
      bots.push((await owner.post('/bots', { full_name: `An ${short_name}`, short_name }))['user_id']);
    const subscribers = [adam.userId, max.userId, mia.userId, ...bots];
    const { id: crypt } = await adam.post('/channels/create', { name: 'crypt', invite_only: true, subscribers });
    const { id: park } = await adam.post('/channels/create', { name: 'park', subscribers });
    const within = async (id: number) => (await adam.get(`/streams/${id}/members`))['subscribers'];
    const names = { subscriptions: ['crypt', 'park'], principals: [max.userId] };
    const [events = []] = await expectSync([mia, max, adam], async () => {
      expect(await adam.delete('/users/me/subscriptions', names)).toEqual(
        expect.objectContaining({ removed: ['crypt', 'park'], not_removed: [] }),
      );
    });
    expect(events.filter(({ op }) => op === 'peer_remove').flatMap((event) => event['user_ids'])).toContain(bots[0]);
    expect(await within(crypt)).toEqual([adam.userId, mia.userId, bots[1]]);
    expect(await within(park)).toEqual([adam.userId, mia.userId, ...bots]);
    // Who leaves by themselves keeps theirs there, and so does who is named beside the bots of others.
    await mia.delete('/users/me/subscriptions', { subscriptions: ['crypt'] });
    expect(await within(crypt)).toEqual([adam.userId, bots[1]]);
    const brought = { subscriptions: [{ name: 'crypt' }], principals: [bots[0]] };
    await adam.post('/users/me/subscriptions', brought);
    expect(await within(crypt)).toContain(bots[0]);
    // Whoever is not in it any more is still put out with all that is theirs.
    const gone = { subscriptions: ['crypt'], principals: [mia.userId] };
    expect(await adam.delete('/users/me/subscriptions', gone)).toMatchObject({ removed: [], not_removed: ['crypt'] });
    expect(await within(crypt)).toEqual([adam.userId, bots[0]]);
  });

  it('unsubscribes others only with a right to', async () => {
    const { max, mia, adam, gus, mona } = world;
    const of = (client: Client) => ({ subscriptions: ['Birds'], principals: [client.userId] });
    for (const client of [mia, gus, mona])
      expect((await client.refused('DELETE', '/users/me/subscriptions', of(max))).msg).toBe('Insufficient permission');
    expect((await adam.refused('DELETE', '/users/me/subscriptions', { ...of(max), principals: [999_999] })).msg).toBe(
      'No such user',
    );
    await expectSync([gus, adam, mia], () => adam.delete('/users/me/subscriptions', of(gus)));
    await expectSync([mia, max], () => max.delete('/users/me/subscriptions', of(mia)));
    expect(await adam.delete('/users/me/subscriptions', of(mia))).toMatchObject({
      removed: [],
      not_removed: ['Birds'],
    });
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: mia.userId as never });
    await mia.post('/users/me/subscriptions', { ...of(bot), subscriptions: [{ name: 'Birds' }] });
    expect(await mia.delete('/users/me/subscriptions', of(bot))).toMatchObject({ removed: ['Birds'] });
  });

  it.each<[string, Body, string]>([
    ['max', { subscriptions: [{ name: ' ' }] }, "Channel name can't be empty."],
    ['max', { subscriptions: [{ name: 'n'.repeat(61) }] }, 'Channel name too long (limit: 60 characters).'],
    ['max', { subscriptions: [{ name: 'a\u0000' }] }, 'Invalid character in channel name, at position 2.'],
    ['max', { subscriptions: [{}] }, 'subscriptions[0]["name"] field is missing: Field required'],
    [
      'max',
      { subscriptions: [{ name: 'x', description: 'd'.repeat(1025) }] },
      'subscriptions[0]["description"] is too long (limit: 1024 characters)',
    ],
    [
      'max',
      { subscriptions: [{ name: 'x', color: 'red' }] },
      'subscriptions[0]["color"] is not a valid hex color code',
    ],
    ['max', { subscriptions: [{ name: 'x' }], folder_id: 999_999 }, 'Invalid channel folder ID'],
    ['max', { subscriptions: [{ name: 'x' }], topics_policy: 'maybe' }, 'Invalid topics_policy'],
    ['max', { subscriptions: [{ name: 'x' }], message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
    ['max', { subscriptions: [{ name: 'x' }], message_retention_days: 3 }, 'Must be an organization owner'],
    ['max', { subscriptions: [{ name: 'x' }], is_default_stream: true }, 'Insufficient permission'],
    [
      'adam',
      { subscriptions: [{ name: 'x' }], is_default_stream: true, invite_only: true },
      'A default channel cannot be private.',
    ],
    ['olive', { subscriptions: [{ name: 'x' }], is_web_public: true }, 'Web-public channels are not enabled.'],
    ['max', { subscriptions: [{ name: 'x' }], can_send_message_group: 999_999 }, 'Invalid user group'],
    ['max', { subscriptions: [{ name: 'x' }], principals: [999_999] }, 'No such user'],
    ['max', { subscriptions: [{ name: 'x' }], principals: ['nobody@roost.test'] }, 'No such user'],
    ['gus', { subscriptions: [{ name: 'Birds' }] }, 'Not allowed for guest users'],
  ])('refuses %s: %j', async (who, parameters, msg) => {
    const client = { max: world.max, adam: world.adam, olive: world.olive, gus: world.gus }[who];
    expect((await client?.refused('POST', '/users/me/subscriptions', parameters))?.msg).toBe(msg);
  });

  it('takes addresses of people, but a hidden one is the address of nobody', async () => {
    const { max } = world;
    const shy = await world.user({ email: 'Shy@roost.test', email_address_visibility: 4 });
    const open = await world.user({ email: 'Open@roost.test' });
    const add = (principal: string) => ({ subscriptions: [{ name: 'letters' }], principals: [principal] });
    const madeUp = `user${shy.userId}@localhost`;
    for (const [client, address] of [
      [open, 'oPEN@roost.test'],
      [shy, madeUp],
    ] as const)
      expect(await max.post('/users/me/subscriptions', add(address))).toMatchObject({
        subscribed: { [client.userId]: ['letters'] },
      });
    const refusal = await max.refused('POST', '/users/me/subscriptions', add('shy@roost.test'));
    expect(refusal.msg).toBe('No such user');
    expect((await max.refused('POST', '/users/me/subscriptions', add('none@roost.test'))).msg).toBe(refusal.msg);
    await shy.post('/users/me/subscriptions', add('shy@roost.test'));
  });

  it('refuses restricted topics where history is protected', async () => {
    const { realm, max } = world;
    const refusal = await max.refused('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'x' }],
      invite_only: true,
      can_create_topic_group: realm.groups['role:members'],
    });
    expect(refusal).toMatchObject({
      msg: 'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
      parameters: 'history_public_to_subscribers, can_create_topic_group',
    });
  });

  it('lets nobody subscribe a deactivated account, and undoes the creation', async () => {
    const { max, adam } = world;
    const gone = await world.user({});
    await world.server.context.store.write((tx) =>
      tx.db
        .updateTable('user')
        .set({ is_active: false })
        .where('id', '=', gone.userId as never)
        .execute(),
    );
    const parameters = { subscriptions: [{ name: 'Undone' }], principals: [max.userId, gone.userId] };
    expect((await max.refused('POST', '/users/me/subscriptions', parameters)).msg).toBe('User is deactivated');
    expect((await adam.get('/streams')).streams.map((one: Body) => one['name'])).not.toContain('Undone');
  });

  it('makes one channel of fifty requests for one name at once', async () => {
    const { max, mia, adam } = world;
    const ask = (client: Client) => client.post('/users/me/subscriptions', { subscriptions: [{ name: 'Rush' }] });
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index % 2 === 0 ? max : mia)));
    const { streams } = await adam.get('/streams');
    const rush = streams.filter((one: Body) => one['name'] === 'Rush');
    expect(rush).toMatchObject([{ subscriber_count: 2 }]);
    expect((await adam.get(`/streams/${rush[0].stream_id}/members`)).subscribers).toEqual([max.userId, mia.userId]);
  });

  it('subscribes a thousand people by a handful of events', async () => {
    const { adam, olive } = world;
    const people = await world.server.context.store.in(world.realm).write(async (tx) => {
      const rows = Array.from({ length: 1000 }, (_, index) => ({ email: `many-${index}@roost.test` }));
      const ids: number[] = [];
      const { insertUser } = await import('#features/users');
      for (const row of rows) {
        const values = { realm_id: world.realm.id, full_name: row.email, role: 400, avatar_source: 'J' as const };
        ids.push((await insertUser(tx, { ...row, ...values })).id);
      }
      return ids;
    });
    const queue = await olive.register({ event_types: ['stream', 'subscription'] });
    const before = await world.server.context.store.in(world.realm).query((tx) => world.server.context.events.head(tx));
    const { subscribed } = await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Everybody' }],
      principals: people,
    });
    expect(Object.keys(subscribed)).toHaveLength(1000);
    const after = await world.server.context.store.in(world.realm).query((tx) => world.server.context.events.head(tx));
    expect(after - before).toBeLessThanOrEqual(4);
    expect(kinds(await queue.events())).toEqual(['stream/create', 'subscription/peer_add']);
  });

  it('changes personal properties, with the older word beside the newer (protocol/events#subscription)', async () => {
    const { max } = world;
    const stream_id = await idOf(max, 'Birds');
    const change = (property: string, value: unknown) =>
      max.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] });
    const [events] = await expectSync([max], async () => {
      await change('is_muted', true);
      await change('is_muted', true);
      await max.patch(`/users/me/subscriptions/${stream_id}`, { property: 'pin_to_top', value: true });
      await change('in_home_view', true);
      await change('desktop_notifications', false);
    });
    expect(events).toMatchObject([
      { property: 'in_home_view', value: false },
      { property: 'is_muted', value: true },
      { property: 'pin_to_top', value: true },
      { property: 'in_home_view', value: true },
      { property: 'is_muted', value: false },
      { property: 'desktop_notifications', value: false },
    ]);
  });

  it('changes many properties of many channels by few statements, each as the last change of it says', async () => {
    const { mona, olive } = world;
    const names = Array.from({ length: 30 }, (_, index) => `Many ${index}`);
    await olive.post('/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      principals: [mona.userId],
    });
    const all: Body[] = (await mona.get('/users/me/subscriptions'))['subscriptions'];
    const ids = all.filter(({ name }) => names.includes(name)).map(({ stream_id }) => stream_id as number);
    const change = (isPinned: boolean) =>
      mona.post('/users/me/subscriptions/properties', {
        subscription_data: ids.flatMap((stream_id, index) => [
          { stream_id, property: 'pin_to_top', value: isPinned },
          { stream_id, property: 'color', value: '#000000' },
          { stream_id, property: 'color', value: `#0000${String(10 + index)}` },
        ]),
      });
    await expectSync([mona], () => change(true));
    const { subscriptions } = await mona.get('/users/me/subscriptions');
    const colors = subscriptions.filter(({ pin_to_top }: Body) => pin_to_top).map(({ color }: Body) => color);
    expect(colors.toSorted()).toEqual(ids.map((_, index) => `#0000${10 + index}`));
    let isPinned = true;
    expect(await leastStatements(world, () => change((isPinned = !isPinned)))).toBeLessThan(12);
  });

  it('makes forty channels by as many statements as two, each with permissions of its own', async () => {
    const { mona, olive } = world;
    let round = 0;
    const make = (count: number, fields: object) => {
      const prefix = `Made ${round++}`;
      const subscriptions = Array.from({ length: count }, (_, index) => ({ name: `${prefix} ${index}` }));
      return olive.post('/users/me/subscriptions', { subscriptions, principals: [mona.userId], ...fields });
    };
    for (const fields of [
      { announce: true },
      { invite_only: true, can_subscribe_group: { direct_members: [mona.userId], direct_subgroups: [] } },
    ]) {
      const two = await leastStatements(world, () => make(2, fields));
      const forty = await leastStatements(world, () => make(40, fields));
      // Statements that run in the background are counted too.
      expect(forty).toBeLessThan(two + 10);
    }
    const { streams } = await olive.get('/streams', { include_all: true });
    const made: Body[] = streams.filter(({ name }: Body) => name.startsWith(`Made ${round - 1} `));
    expect(made.length).toBeGreaterThan(0);
    const groups = made.map(({ can_administer_channel_group }) => can_administer_channel_group);
    expect(groups).toEqual(made.map(() => ({ direct_members: [olive.userId], direct_subgroups: [] })));
    const [first, second] = made;
    await olive.patch(`/streams/${first?.stream_id}`, {
      can_administer_channel_group: { new: { direct_members: [mona.userId], direct_subgroups: [] } },
    });
    const { stream } = await olive.get(`/streams/${second?.stream_id}`);
    expect(stream.can_administer_channel_group).toEqual(groups[1]);
  });

  it('refuses properties that are none, all changes or none', async () => {
    const { max } = world;
    const stream_id = await idOf(max, 'Birds');
    const refused = async (change: object) =>
      (
        await max.refused('POST', '/users/me/subscriptions/properties', {
          subscription_data: [
            { stream_id, property: 'pin_to_top', value: false },
            { stream_id, ...change },
          ],
        })
      ).msg;
    expect(await refused({ property: 'smell', value: true })).toBe('Unknown subscription property: smell');
    expect(await refused({ property: 'is_muted', value: 'yes' })).toBe('is_muted is not a boolean');
    expect(await refused({ property: 'color', value: 'red' })).toBe('color is not a valid hex color code');
    expect(await refused({ stream_id: 999_999, property: 'color', value: '#123456' })).toBe('Invalid channel ID');
    const other = (await world.adam.get('/get_stream_id', { stream: 'Everybody' }))['stream_id'];
    expect(await refused({ stream_id: other, property: 'is_muted', value: true })).toBe(
      `Not subscribed to channel ID ${other}`,
    );
    const { subscriptions } = await max.get('/users/me/subscriptions');
    expect(subscriptions.find((one: Body) => one['stream_id'] === stream_id).pin_to_top).toBe(true);
  });

  it('joins and leaves in one request, and says when there is nothing to do', async () => {
    const { mona, gus } = world;
    const reply = await mona.patch('/users/me/subscriptions', { add: [{ name: 'Birds' }, { name: 'Rush' }] });
    expect(reply).toMatchObject({ subscribed: { [mona.userId]: ['Birds', 'Rush'] }, removed: [] });
    const second = await mona.patch('/users/me/subscriptions', { add: [{ name: 'Members' }], delete: ['Rush'] });
    expect(second).toMatchObject({ subscribed: { [mona.userId]: ['Members'] }, removed: ['Rush'], not_removed: [] });
    expect((await mona.refused('PATCH', '/users/me/subscriptions')).msg).toBe(
      'Nothing to do. Specify at least one of "add" or "delete".',
    );
    expect((await gus.refused('PATCH', '/users/me/subscriptions', { add: [{ name: 'Birds' }] })).msg).toBe(
      'Not allowed for guest users',
    );
  });

  it('announces one user in several public channels by one event (protocol/subscriptions#subscribing-effects)', async () => {
    const { mona, adam, gus, max } = world;
    const rush = (await adam.get('/get_stream_id', { stream: 'Rush' }))['stream_id'];
    const everybody = (await adam.get('/get_stream_id', { stream: 'Everybody' }))['stream_id'];
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'Rush' }] });
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Rush' }],
      principals: [gus.userId],
      send_new_subscription_messages: false,
    });
    const [maxEvents, gusEvents] = await expectSync([max, gus, mona], () =>
      mona.post('/users/me/subscriptions', { subscriptions: [{ name: 'Everybody' }, { name: 'Rush' }] }),
    );
    expect(maxEvents).toMatchObject([
      { op: 'peer_add', stream_ids: [rush, everybody].toSorted((a, b) => a - b), user_ids: [mona.userId] },
    ]);
    expect(gusEvents).toMatchObject([{ op: 'peer_add', stream_ids: [rush], user_ids: [mona.userId] }]);
  });

  it('says whether somebody is subscribed', async () => {
    const { max, mia, adam } = world;
    const birds = await idOf(max, 'Birds');
    expect(await mia.get(`/users/${max.userId}/subscriptions/${birds}`)).toMatchObject({ is_subscribed: true });
    expect(await mia.get(`/users/${adam.userId}/subscriptions/${birds}`)).toMatchObject({ is_subscribed: false });
    expect((await mia.refused('GET', `/users/999999/subscriptions/${birds}`)).msg).toBe('No such user');
    expect((await mia.refused('GET', `/users/${max.userId}/subscriptions/999999`)).msg).toBe('Invalid channel ID');
  });
});
