import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('user groups on %s', (database) => {
  let world: World;
  let id: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    id = (
      await max.post('/user_groups/create', {
        name: ' Crew ',
        description: 'all of us',
        members: [max.userId, mia.userId],
      })
    )['group_id'];
  });
  afterAll(() => world.close());

  const group = async (): Promise<Body> => {
    const { user_groups } = await world.olive.get('/user_groups', { include_deactivated_groups: true });
    return user_groups.find((one: Body) => one['id'] === id);
  };
  const older = { client_gravatar: false };

  it('gives the maker of a group its management (protocol/groups#group-object)', async () => {
    const { max, mia, realm } = world;
    const own = { direct_members: [max.userId], direct_subgroups: [] };
    expect(await group()).toMatchObject({
      name: 'Crew',
      description: 'all of us',
      members: [max.userId, mia.userId],
      is_system_group: false,
      creator_id: max.userId,
      can_manage_group: own,
      can_add_members_group: own,
      can_join_group: realm.groups['role:nobody'],
      can_leave_group: realm.groups['role:everyone'],
      deactivated: false,
    });
  });

  it('tells everybody of a new group and of its changes, guests included', async () => {
    const { max, gus, realm } = world;
    const moderators = realm.groups['role:moderators'];
    const everyone = realm.groups['role:everyone'];
    const [events] = await expectSync([gus, max], async () => {
      await max.post('/user_groups/create', { name: 'Deck', description: '', members: [], subgroups: [id] });
      await max.patch(`/user_groups/${id}`, {
        name: 'The crew',
        can_mention_group: { new: moderators, old: everyone },
      });
    });
    expect(events).toMatchObject([
      { type: 'user_group', op: 'add', group: { name: 'Deck', direct_subgroup_ids: [id] } },
      { type: 'user_group', op: 'update', group_id: id, data: { name: 'The crew', can_mention_group: moderators } },
    ]);
    const [none] = await expectSync([gus], () => max.patch(`/user_groups/${id}`, { name: 'The crew' }));
    expect(none).toEqual([]);
  });

  it('adds and removes people and groups in one step', async () => {
    const { max, mia, mona, gus, realm } = world;
    const moderators = realm.groups['role:moderators'];
    const [events] = await expectSync([gus], () =>
      max.post(`/user_groups/${id}/members`, {
        add: [mona.userId],
        delete: [mia.userId],
        add_subgroups: [moderators],
      }),
    );
    expect(events).toMatchObject([
      { op: 'add_members', group_id: id, user_ids: [mona.userId] },
      { op: 'remove_members', group_id: id, user_ids: [mia.userId] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [moderators] },
    ]);
    const { members } = await mia.get(`/user_groups/${id}/members`);
    expect(members).toEqual(expect.arrayContaining([world.olive.userId, world.adam.userId, mona.userId]));
    expect((await mia.get(`/user_groups/${id}/members`, { direct_member_only: true })).members).not.toContain(
      world.adam.userId,
    );
    expect(await mia.get(`/user_groups/${id}/members/${world.adam.userId}`)).toMatchObject({
      is_user_group_member: true,
    });
    await expectSync([gus], () => max.post(`/user_groups/${id}/subgroups`, { delete: [moderators] }));
    expect((await mia.get(`/user_groups/${id}/subgroups`)).subgroups).toEqual([]);
  });

  it('refuses what cannot be', async () => {
    const { max, mia, adam, realm } = world;
    const post = async (path: string, parameters: Body) =>
      (await max.refused('POST', `/user_groups/${id}/${path}`, parameters)).msg;
    expect(await post('members', {})).toBe(
      'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
    );
    expect(await post('subgroups', {})).toBe('Nothing to do. Specify at least one of "add" or "delete".');
    expect(await post('members', { add: [max.userId] })).toBe(`User ${max.userId} is already a member of this group`);
    expect(await post('members', { delete: [mia.userId] })).toBe(
      `There is no member '${mia.userId}' in this user group`,
    );
    expect(await post('members', { add: [999_999] })).toBe('Invalid user ID: 999999');
    expect(await post('subgroups', { add: [999_999] })).toBe('Invalid user group ID: 999999');
    expect(await post('subgroups', { add: [id] })).toBe(
      `User group ${id} is already a subgroup of one of the passed subgroups.`,
    );
    expect(await post('subgroups', { delete: [1] })).toBe('User group 1 is not a subgroup of this group.');
    const system = `/user_groups/${realm.groups['role:members']}`;
    expect((await adam.refused('PATCH', system, { name: 'x' })).msg).toBe('Insufficient permission');
    expect((await mia.refused('PATCH', `/user_groups/${id}`, { name: 'x' })).msg).toBe('Insufficient permission');
    expect((await max.refused('PATCH', `/user_groups/${id}`)).msg).toBe('No new data supplied');
    expect((await max.refused('PATCH', '/user_groups/999999', { name: 'x' })).msg).toBe('Invalid user group');
    expect((await max.request('DELETE', `/user_groups/${id}`)).status).toBe(405);
  });

  it.each([
    ['', "User group name can't be empty!"],
    ['n'.repeat(101), 'User group name cannot exceed 100 characters.'],
    ['@x', "User group name cannot start with '@'."],
    ['role:x', "User group name cannot start with 'role:'."],
    ['dECK', "User group 'dECK' already exists."],
  ])('refuses the name %j', async (name, msg) => {
    const refusal = await world.max.refused('POST', '/user_groups/create', { name, description: '', members: [] });
    expect(refusal.msg).toBe(msg);
  });

  it('lets people join and leave by themselves where the group says so', async () => {
    const { max, mia, realm } = world;
    const join = { add: [mia.userId] };
    expect((await mia.refused('POST', `/user_groups/${id}/members`, join)).msg).toBe('Insufficient permission');
    await max.patch(`/user_groups/${id}`, { can_join_group: { new: realm.groups['role:members'] } });
    await mia.post(`/user_groups/${id}/members`, join);
    const others = { delete: [mia.userId, max.userId] };
    expect((await mia.refused('POST', `/user_groups/${id}/members`, others)).msg).toBe('Insufficient permission');
    await mia.post(`/user_groups/${id}/members`, { delete: [mia.userId] });
  });

  it('keeps a group that something depends on, and says what', async () => {
    const { max } = world;
    const { id: channel_id } = await max.post('/channels/create', {
      name: 'crew only',
      subscribers: [max.userId],
      can_send_message_group: { direct_members: [max.userId], direct_subgroups: [id] },
    });
    const { user_groups } = await max.get('/user_groups');
    const deck = user_groups.find((one: Body) => one['name'] === 'Deck').id;
    const refusal = await max.refused('POST', `/user_groups/${id}/deactivate`);
    expect(refusal).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [
        { type: 'subgroup', supergroup_ids: [deck] },
        { type: 'channel', channel_id, settings: ['can_send_message_group'] },
      ],
    });
    await max.post(`/user_groups/${deck}/subgroups`, { delete: [id] });
    await max.delete(`/streams/${channel_id}`);
    const still = await max.refused('POST', `/user_groups/${id}/deactivate`);
    expect(still['objections']).toEqual([{ type: 'channel', channel_id, settings: ['can_send_message_group'] }]);
    await max.patch(`/streams/${channel_id}`, { can_send_message_group: { new: world.realm.groups['role:everyone'] } });
  });

  it('deactivates and brings back, for clients that keep such groups and for those that do not', async () => {
    const { max, gus } = world;
    const off = () => max.post(`/user_groups/${id}/deactivate`);
    const on = () => max.patch(`/user_groups/${id}`, { deactivated: false });
    const [gone] = await expectSync([gus], off);
    expect(gone).toMatchObject([{ op: 'update', group_id: id, data: { deactivated: true } }]);
    expect((await max.refused('PATCH', `/user_groups/${id}`, { description: 'x' })).msg).toBe(
      'You can only change name of deactivated user groups',
    );
    const [back] = await expectSync([gus], on, { parameters: older, fields: ['realm_user_groups'] });
    expect(back).toMatchObject([{ op: 'add', group: { id } }]);
    const [removed] = await expectSync([gus], off, { parameters: older, fields: ['realm_user_groups'] });
    expect(removed).toMatchObject([{ op: 'remove', group_id: id }]);
    const [modern] = await expectSync([gus], on);
    expect(modern).toMatchObject([{ op: 'update', data: { deactivated: false } }]);
  });
});
