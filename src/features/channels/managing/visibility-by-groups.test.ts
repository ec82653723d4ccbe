import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { announcePromotions } from '#features/groups';

const kinds = (events: readonly Body[] | undefined) =>
  (events ?? []).map((event) => [event['type'], event['op'], event['property']].filter(Boolean).join('/'));

describe.each(databases)('sight of private channels through groups on %s', (database) => {
  let world: World;
  let made = 0;
  let outer: number;
  let inner: number;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  /** A group inside another, new for each test. */
  beforeEach(async () => {
    inner = await group(`inner ${++made}`);
    outer = await group(`outer ${made}`, [inner]);
  });
  afterAll(() => world.close());

  /** A group that max manages, empty at first. */
  const group = async (name: string, subgroups: number[] = []): Promise<number> =>
    (await world.max.post('/user_groups/create', { name, description: '', members: [], subgroups }))['group_id'];
  /** A private channel of max and mona, with a permission held by a group. */
  const channel = async (setting: string, value: number | object): Promise<number> => {
    const { max, mona } = world;
    const name = `private ${++made}`;
    const parameters = { name, subscribers: [max.userId, mona.userId], invite_only: true, [setting]: value };
    return (await max.post('/channels/create', parameters))['id'];
  };
  const members = (id: number, change: Body) => world.max.post(`/user_groups/${id}/members`, change);
  const knows = async (client: Client, id: number) => (await client.request('GET', `/streams/${id}`)).status === 200;

  it.each(['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'])(
    'come and go with members of the group that holds %s (protocol/channels#access)',
    async (setting) => {
      const { max, mia, adam, gus } = world;
      const id = await channel(setting, outer);
      const people = { add: [mia.userId, gus.userId, adam.userId] };
      const [gaining, knowing, admin, guest] = await expectSync([mia, max, adam, gus], () => members(inner, people));
      expect(kinds(gaining)).toEqual(['user_group/add_members', 'stream/create', 'subscription/peer_add']);
      expect(gaining?.[1]).toMatchObject({ streams: [{ stream_id: id, subscriber_count: 0 }], for_unarchiving: false });
      expect(gaining?.[2]).toMatchObject({
        stream_ids: [id],
        user_ids: [max.userId, world.mona.userId].toSorted(ascending),
      });
      for (const events of [knowing, admin, guest]) expect(kinds(events)).toEqual(['user_group/add_members']);
      expect(await knows(mia, id)).toBe(true);
      expect(await knows(gus, id)).toBe(false);
      const gone = { delete: people.add };
      const [losing, still] = await expectSync([mia, max], () => members(inner, gone));
      expect(kinds(losing)).toEqual(['user_group/remove_members', 'stream/delete']);
      expect(losing?.[1]).toMatchObject({ stream_ids: [id], streams: [{ stream_id: id }] });
      expect(kinds(still)).toEqual(['user_group/remove_members']);
      expect(await knows(mia, id)).toBe(false);
    },
  );

  it('follow groups inside groups, and settings that name people beside groups', async () => {
    const { max, mia, realm } = world;
    const id = await channel('can_subscribe_group', {
      direct_members: [max.userId],
      direct_subgroups: [outer, realm.groups['role:owners']],
    });
    const crew = await group('crew');
    await members(crew, { add: [mia.userId] });
    const [gaining] = await expectSync([mia], () => max.post(`/user_groups/${inner}/subgroups`, { add: [crew] }));
    expect(kinds(gaining)).toEqual(['user_group/add_subgroups', 'stream/create', 'subscription/peer_add']);
    const [losing] = await expectSync([mia], () => max.post(`/user_groups/${inner}/subgroups`, { delete: [crew] }));
    expect(kinds(losing)).toEqual(['user_group/remove_subgroups', 'stream/delete']);
    expect(await knows(mia, id)).toBe(false);
  });

  it('stay where another way leads to the channel, and one change may open several', async () => {
    const { max, mia, mona } = world;
    const [first, second] = [
      await channel('can_subscribe_group', inner),
      await channel('can_add_subscribers_group', inner),
    ];
    const [gaining, subscriber] = await expectSync([mia, mona], () =>
      members(inner, { add: [mia.userId, mona.userId] }),
    );
    expect(gaining?.filter((event) => event['op'] === 'create').map((event) => event['streams'][0].stream_id)).toEqual(
      expect.arrayContaining([first, second]),
    );
    expect(kinds(subscriber)).toEqual(['user_group/add_members']);
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: `private ${made}` }] });
    const [losing] = await expectSync([mia], () => members(inner, { delete: [mia.userId, mona.userId] }));
    expect(losing?.filter((event) => event['op'] === 'delete').map((event) => event['stream_ids'])).not.toContainEqual([
      second,
    ]);
    expect(await knows(mia, second)).toBe(true);
    expect(await knows(mia, first)).toBe(false);
    await max.patch(`/streams/${first}`, { new_name: 'renamed' });
  });

  it('include archived channels for clients that keep those, and for no others', async () => {
    const { max, mia } = world;
    const id = await channel('can_subscribe_group', inner);
    await max.delete(`/streams/${id}`);
    const shown = (events: readonly Body[] | undefined) =>
      (events ?? []).flatMap((event) => (event['op'] === 'create' ? event['streams'] : [])).map((one) => one.stream_id);
    const [modern] = await expectSync([mia], () => members(inner, { add: [mia.userId] }));
    expect(shown(modern)).toContain(id);
    await members(inner, { delete: [mia.userId] });
    const older = { parameters: { include_subscribers: true } };
    const [plain] = await expectSync([mia], () => members(inner, { add: [mia.userId] }), older);
    expect(shown(plain)).not.toContain(id);
    await members(inner, { delete: [mia.userId] });
  });

  it('follow the days that make a full member', async () => {
    const { mia, adam, olive, realm } = world;
    const id = await channel('can_subscribe_group', realm.groups['role:fullmembers']);
    const [losing] = await expectSync([mia, adam], () => olive.patch('/realm', { waiting_period_threshold: 10 }));
    expect(kinds(losing)).toEqual(expect.arrayContaining(['user_group/remove_members', 'stream/delete']));
    expect(await knows(mia, id)).toBe(false);
    const [gaining] = await expectSync([mia], () => olive.patch('/realm', { waiting_period_threshold: 0 }));
    expect(kinds(gaining)).toEqual(expect.arrayContaining(['stream/create', 'subscription/peer_add']));
  });

  it('come by waiting, which is announced once', async () => {
    const { mia, olive, gus, realm, clock, server } = world;
    await olive.patch('/realm', { waiting_period_threshold: 3 });
    const newcomer = await world.user();
    const id = await channel('can_add_subscribers_group', realm.groups['role:fullmembers']);
    const announce = () => announcePromotions(server.context);
    clock.advance(2 * 86_400_000);
    const [early] = await expectSync([newcomer], announce);
    expect(early).toEqual([]);
    clock.advance(86_400_000);
    const queue = await newcomer.register();
    // The state includes the new member already before the event is sent.
    expect(queue.state['realm_user_groups'][4].members).toContain(newcomer.userId);
    const [own, other, guest] = [queue, await mia.register(), await gus.register()];
    await Promise.all([announce(), announce()]);
    const added = { group_id: realm.groups['role:fullmembers'] };
    const news = await own.events();
    expect(news[0]).toMatchObject({ ...added, user_ids: expect.arrayContaining([newcomer.userId]) });
    expect(news.filter((event) => event['streams']?.[0].stream_id === id)).toHaveLength(1);
    expect(news.filter((event) => event['stream_ids']?.[0] === id)).toMatchObject([{ op: 'peer_add' }]);
    expect(kinds(await guest.events())).toEqual(['user_group/add_members']);
    expect(kinds(await other.events()).filter((kind) => kind === 'user_group/add_members')).toHaveLength(1);
    await olive.patch('/realm', { waiting_period_threshold: 0 });
  });

  it('are not changed by a group that is taken out of use: it depends on nothing then', async () => {
    const { max, mia } = world;
    const team = await group('team');
    await members(team, { add: [mia.userId] });
    const id = await channel('can_subscribe_group', team);
    expect(await max.refused('POST', `/user_groups/${team}/deactivate`)).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [{ type: 'channel', channel_id: id, settings: ['can_subscribe_group'] }],
    });
    await max.patch(`/streams/${id}`, { can_subscribe_group: { new: world.realm.groups['role:nobody'] } });
    const [events] = await expectSync([mia], () => max.post(`/user_groups/${team}/deactivate`));
    expect(kinds(events)).toEqual(['user_group/update']);
  });
});

const ascending = (a: number, b: number) => a - b;
