import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const kinds = (events: readonly Body[] | undefined) =>
  (events ?? [])
    .filter((event) => event['type'] !== 'message')
    .map((event) => [event['type'], event['op'], event['property']].filter(Boolean).join('/'));

describe.each(databases)('changing channels on %s', (database) => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** A channel of its own for a test; `max` makes it and is subscribed. */
  const channel = async (parameters: Body = {}): Promise<number> => {
    const { max } = world;
    const name = parameters['name'] ?? `channel ${++made}`;
    return (await max.post('/channels/create', { subscribers: [max.userId], ...parameters, name }))['id'];
  };
  const change = (client: Client, id: number, parameters: Body) => client.patch(`/streams/${id}`, parameters);
  const refused = async (client: Client, id: number, parameters: Body) =>
    (await client.refused('PATCH', `/streams/${id}`, parameters)).msg;

  it('makes a channel with everything that was asked for (protocol/channels#creating)', async () => {
    const { adam, olive, mia, realm } = world;
    const { channel_folder_id } = await adam.post('/channel_folders/create', { name: 'f', description: '' });
    const [events] = await expectSync([mia, adam], async () => {
      const { id } = await olive.post('/channels/create', {
        name: ' Whole ',
        description: 'a\nb',
        subscribers: [mia.userId],
        folder_id: channel_folder_id,
        message_retention_days: 30,
        topics_policy: 'disable_empty_topic',
        can_send_message_group: { direct_members: [], direct_subgroups: [realm.groups['role:moderators']] },
        can_add_subscribers_group: { direct_members: [mia.userId], direct_subgroups: [] },
      });
      expect((await mia.get(`/streams/${id}`))['stream']).toMatchObject({
        name: 'Whole',
        description: 'a b',
        rendered_description: '<p>a b</p>',
        folder_id: channel_folder_id,
        message_retention_days: 30,
        topics_policy: 'disable_empty_topic',
        creator_id: olive.userId,
        can_send_message_group: realm.groups['role:moderators'],
        stream_post_policy: 4,
        can_add_subscribers_group: { direct_members: [mia.userId], direct_subgroups: [] },
        can_administer_channel_group: { direct_members: [olive.userId], direct_subgroups: [] },
        subscriber_count: 1,
      });
    });
    expect(kinds(events)).toEqual(['stream/create', 'subscription/add']);
  });

  it('refuses a name that is taken with 409, archived channels included', async () => {
    const id = await channel({ name: 'Taken' });
    await world.adam.delete(`/streams/${id}`);
    expect(await world.mia.refused('POST', '/channels/create', { name: 'tAKEN', subscribers: [] })).toMatchObject({
      status: 409,
      code: 'CHANNEL_ALREADY_EXISTS',
      channel_name: 'tAKEN',
    });
    expect((await world.mia.refused('POST', '/channels/create', { name: '  ', subscribers: [] })).msg).toBe(
      'name cannot be blank',
    );
    expect((await world.gus.refused('POST', '/channels/create')).msg).toBe('Not allowed for guest users');
  });

  it('renames, describes and moves, each with its event and the name of its time (protocol/channels#update-events)', async () => {
    const { max, mia, gus, adam } = world;
    const id = await channel({ name: 'Old' });
    const { channel_folder_id: folder_id } = await adam.post('/channel_folders/create', {
      name: 'shelf',
      description: '',
    });
    const [events, guestEvents] = await expectSync([mia, gus, max], () =>
      change(max, id, { new_name: 'New', description: 'what\nfor', folder_id, topics_policy: 'allow_empty_topic' }),
    );
    expect(events?.filter((event) => event['type'] === 'stream')).toMatchObject([
      { property: 'topics_policy', value: 'allow_empty_topic', name: 'Old' },
      { property: 'description', value: 'what for', rendered_description: '<p>what for</p>', name: 'Old' },
      { property: 'name', value: 'New', name: 'Old' },
      { property: 'folder_id', value: folder_id, name: 'New' },
    ]);
    expect(guestEvents).toEqual([]);
    const [again] = await expectSync([mia], () => change(max, id, { description: 'what for', folder_id }));
    expect(kinds(again)).toEqual([]);
    await expectSync([mia], () => change(max, id, { new_name: 'NEW', folder_id: null }));
  });

  it('shows a channel that becomes public, and hides one that becomes private (protocol/events#order)', async () => {
    const { max, mia, gus, adam } = world;
    const id = await channel({ invite_only: true });
    const [miaEvents, maxEvents, adamEvents, gusEvents] = await expectSync([mia, max, adam, gus], () =>
      change(max, id, { is_private: false }),
    );
    expect(kinds(miaEvents)).toEqual(['stream/create', 'subscription/peer_add']);
    for (const events of [maxEvents, adamEvents]) expect(kinds(events)).toEqual(['stream/update/invite_only']);
    expect(maxEvents?.[0]).toMatchObject({ value: false, history_public_to_subscribers: true, is_web_public: false });
    expect(gusEvents).toEqual([]);
    const [hidden, kept] = await expectSync([mia, max, adam], () => change(max, id, { is_private: true }));
    expect(kinds(hidden)).toEqual(['stream/delete']);
    expect(kept?.[0]).toMatchObject({ value: true, history_public_to_subscribers: false });
    expect((await mia.refused('GET', `/streams/${id}`)).msg).toBe('Invalid channel ID');
  });

  it('follows permissions that let people know of a private channel', async () => {
    const { max, mia, mona } = world;
    const id = await channel({ invite_only: true });
    const nobody = world.realm.groups['role:nobody'];
    const value = { direct_members: [mia.userId], direct_subgroups: [] };
    const [gaining, still] = await expectSync([mia, max, mona], () =>
      change(max, id, { can_subscribe_group: { new: value, old: nobody } }),
    );
    expect(kinds(gaining)).toEqual(['stream/create', 'subscription/peer_add']);
    expect(still).toMatchObject([{ property: 'can_subscribe_group', value }]);
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: `channel ${made}` }] });
    await mia.delete('/users/me/subscriptions', { subscriptions: [`channel ${made}`] });
    const [losing] = await expectSync([mia, max], () => change(max, id, { can_subscribe_group: { new: nobody } }));
    expect(kinds(losing)).toEqual(['stream/delete']);
  });

  it('compares what a client expects of a permission (protocol/permissions#values)', async () => {
    const { max, realm } = world;
    const id = await channel();
    const everyone = realm.groups['role:everyone'];
    const members = realm.groups['role:members'];
    expect(
      await max.refused('PATCH', `/streams/${id}`, { can_send_message_group: { new: members, old: members } }),
    ).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
    const [none] = await expectSync([max], () => change(max, id, { can_send_message_group: { new: everyone } }));
    expect(kinds(none)).toEqual([]);
    const [events] = await expectSync([max], () =>
      change(max, id, { can_send_message_group: { new: realm.groups['role:administrators'], old: everyone } }),
    );
    expect(kinds(events)).toEqual([
      'stream/update/can_send_message_group',
      'stream/update/stream_post_policy',
      'stream/update/is_announcement_only',
    ]);
  });

  it('archives and brings back, for clients that know of archived channels and for those that do not', async () => {
    const { max, mia, adam } = world;
    const id = await channel();
    const older = { include_subscribers: true, client_capabilities: { notification_settings_null: true } };
    const [modern] = await expectSync([max, mia], () => adam.delete(`/streams/${id}`));
    expect(kinds(modern)).toEqual(['stream/update/is_archived']);
    expect((await adam.refused('DELETE', `/streams/${id}`)).msg).toBe('Channel is already deactivated');
    const [back] = await expectSync([max, mia], () => change(adam, id, { is_archived: false }), { parameters: older });
    expect(kinds(back)).toEqual(['stream/create', 'subscription/add']);
    expect(await refused(adam, id, { is_archived: false })).toBe('Channel is not currently deactivated');
    const [gone] = await expectSync([max, mia], () => adam.delete(`/streams/${id}`), { parameters: older });
    expect(kinds(gone)).toEqual(['stream/delete']);
    const [unarchived] = await expectSync([max, mia], () => change(adam, id, { is_archived: false }));
    expect(kinds(unarchived)).toEqual(['stream/update/is_archived']);
  });

  it('opens to the web only where the organization lets spectators in, and by owners', async () => {
    const { max, olive, adam, spectator, realm, server, gus } = world;
    const id = await channel();
    expect(await refused(olive, id, { is_web_public: true })).toBe('Web-public channels are not enabled.');
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { enable_spectator_access: true }));
    expect(await refused(max, id, { is_web_public: true })).toBe('Insufficient permission');
    expect(await refused(adam, id, { is_web_public: true })).toBe('Insufficient permission');
    const queue = await gus.register();
    await change(olive, id, { is_web_public: true });
    expect(kinds(await queue.events())).toEqual(['stream/create', 'subscription/peer_add']);
    const { subscriptions } = await spectator.post('/register');
    expect(subscriptions).toMatchObject([{ stream_id: id, is_web_public: true }]);
    expect(await refused(olive, id, { is_private: true })).toBe('Invalid parameters');
  });

  it('answers in the order of protocol/channels#update-checks', async () => {
    const { max, mia, adam, gus, olive, realm } = world;
    const open = await channel({ name: 'open' });
    const closed = await channel({ invite_only: true, name: 'closed' });
    const members = realm.groups['role:members'];
    const table: readonly (readonly [Client, number, Body, string])[] = [
      [max, 999_999, {}, 'Invalid channel ID'],
      [mia, closed, {}, 'Invalid channel ID'],
      [gus, open, {}, 'Invalid channel ID'],
      [mia, open, {}, 'You do not have permission to administer this channel.'],
      [max, open, { history_public_to_subscribers: false }, 'Invalid parameters'],
      [max, open, { is_private: true, is_web_public: true }, 'Invalid parameters'],
      [max, open, { is_private: true, is_default_stream: true }, 'A default channel cannot be private.'],
      [adam, closed, { is_private: false }, 'Channel content access is required.'],
      [max, open, { is_default_stream: true }, 'You do not have permission to change default channels.'],
      [adam, open, { message_retention_days: 'unlimited' }, 'Must be an organization owner'],
      [olive, open, { message_retention_days: -3 }, "Bad value for 'message_retention_days': -3"],
      [max, open, { can_delete_own_message_group: { new: members } }, 'Insufficient permission'],
      [max, open, { new_name: ' open ' }, 'Channel already has that name.'],
      [max, open, { new_name: '' }, "Channel name can't be empty."],
      [max, open, { new_name: 'CLOSED' }, "Channel 'CLOSED' already exists"],
      [max, open, { folder_id: 999_999 }, 'Invalid channel folder ID'],
      [adam, closed, { can_subscribe_group: { new: members } }, 'Channel content access is required.'],
      [
        max,
        open,
        { can_subscribe_group: { new: realm.groups['role:everyone'] } },
        "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
      ],
      [
        max,
        closed,
        { can_create_topic_group: { new: members } },
        'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
      ],
    ];
    for (const [client, id, parameters, msg] of table)
      expect(await refused(client, id, parameters), JSON.stringify(parameters)).toBe(msg);
    expect((await max.get(`/streams/${open}`))['stream'].name).toBe('open');
  });

  it('keeps topics that have names from a policy that has none', async () => {
    const { max } = world;
    const id = await channel({ name: 'talk' });
    await max.post('/messages', { type: 'channel', to: 'talk', topic: 'named', content: 'hello' });
    expect(await max.refused('PATCH', `/streams/${id}`, { topics_policy: 'empty_topic_only' })).toMatchObject({
      empty_topic_display_name: 'general chat',
    });
    await change(max, id, { topics_policy: '"allow_empty_topic"' });
  });

  it('applies everything or nothing', async () => {
    const { max, mia } = world;
    const id = await channel({ name: 'all or nothing' });
    const [events] = await expectSync([mia], async () => {
      await refused(max, id, { description: 'changed', new_name: 'changed', folder_id: 999_999 });
    });
    expect(events).toEqual([]);
  });

  it('tells clients that dropped archived channels nothing of their subscribers (protocol/events#what-a-queue-takes)', async () => {
    const { max, mia, adam } = world;
    const name = 'in the archive';
    const id = await channel({ name });
    await adam.delete(`/streams/${id}`);
    const comeAndGo = async () => {
      await mia.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      await mia.delete('/users/me/subscriptions', { subscriptions: [name] });
    };
    const older = { include_subscribers: true };
    const plain = await expectSync([max, mia], comeAndGo, { parameters: older });
    expect(plain.map(kinds)).toEqual([[], []]);
    const modern = await expectSync([max, mia], comeAndGo);
    expect(modern.map(kinds)).toEqual([
      ['subscription/peer_add', 'subscription/peer_remove'],
      ['subscription/add', 'subscription/remove'],
    ]);
  });

  it('lists a default channel again that comes back from the archive as one', async () => {
    const { max, mia, adam } = world;
    const id = await channel();
    await adam.patch(`/streams/${id}`, { is_default_stream: true });
    const [gone] = await expectSync([mia, max], () => adam.delete(`/streams/${id}`));
    expect(kinds(gone)).toEqual(['default_streams', 'stream/update/is_archived']);
    const [marked] = await expectSync([mia], () => change(adam, id, { is_default_stream: true }));
    expect(kinds(marked)).toEqual([]);
    const [back] = await expectSync([mia], () => change(adam, id, { is_archived: false }));
    expect(kinds(back)).toEqual(['default_streams', 'stream/update/is_archived']);
    await change(adam, id, { is_default_stream: false });
  });
});
