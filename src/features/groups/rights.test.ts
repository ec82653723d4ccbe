import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client, Reply } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('rights over user groups on %s', (database) => {
  let world: World;
  let made = 0;
  let id: number;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const only = (...clients: Client[]) => ({
    direct_members: clients.map((client) => client.userId),
    direct_subgroups: [],
  });
  const make = async (parameters: Body = {}): Promise<number> =>
    (
      await world.max.post('/user_groups/create', {
        name: `group ${++made}`,
        description: '',
        members: [],
        ...parameters,
      })
    )['group_id'];
  const inGroup = (client: Client, change: Body): Promise<Reply> =>
    client.request('POST', `/user_groups/${id}/members`, change);
  const msgOf = ({ status, body }: Reply) => (status === 200 ? 'done' : body['msg']);
  const REFUSED = 'Insufficient permission';
  beforeEach(async () => {
    const { max, mona } = world;
    // mona is in; nobody but max has any right.
    const nobody = { direct_members: [], direct_subgroups: [] };
    id = await make({ members: [mona.userId], can_leave_group: nobody, can_add_members_group: only(max) });
  });

  /** Who holds a permission, and what mia and mona may then do of: add mia by herself, add gus, remove mona, rename. */
  it.each([
    ['can_add_members_group', ['done', 'done', REFUSED, REFUSED]],
    ['can_join_group', ['done', REFUSED, REFUSED, REFUSED]],
    ['can_remove_members_group', [REFUSED, REFUSED, 'done', REFUSED]],
    ['can_manage_group', ['done', 'done', 'done', 'done']],
    ['can_leave_group', [REFUSED, REFUSED, REFUSED, REFUSED]],
    ['can_mention_group', [REFUSED, REFUSED, REFUSED, REFUSED]],
  ])('%s is enough for what it says (protocol/groups#operations)', async (setting, expected) => {
    const { max, mia, mona, gus } = world;
    await max.patch(`/user_groups/${id}`, { [setting]: { new: only(mia) } });
    const met = [
      await inGroup(mia, { add: [mia.userId] }),
      await inGroup(mia, { add: [gus.userId] }),
      await inGroup(mia, { delete: [mona.userId] }),
      await mia.request('PATCH', `/user_groups/${id}`, { description: 'mine' }),
    ];
    expect(met.map(msgOf)).toEqual(expected);
  });

  it('let people leave by themselves, but nobody else go, where leaving is allowed', async () => {
    const { max, mia, mona } = world;
    await max.patch(`/user_groups/${id}`, { can_leave_group: { new: only(mona) } });
    expect(msgOf(await inGroup(mona, { add: [mia.userId] }))).toBe(REFUSED);
    await inGroup(max, { add: [mia.userId] });
    expect(msgOf(await inGroup(mona, { delete: [mona.userId, mia.userId] }))).toBe(REFUSED);
    expect(msgOf(await inGroup(mia, { delete: [mia.userId] }))).toBe(REFUSED);
    expect(msgOf(await inGroup(mona, { delete: [mona.userId] }))).toBe('done');
  });

  it('over all groups belong to a group that the organization names, and never to guests or over system groups', async () => {
    const { olive, adam, gus, max, realm } = world;
    expect(msgOf(await inGroup(adam, { add: [adam.userId] }))).toBe(REFUSED);
    expect(msgOf(await inGroup(olive, { add: [olive.userId] }))).toBe('done');
    await max.patch(`/user_groups/${id}`, { can_manage_group: { new: only(max, gus) } });
    expect(msgOf(await inGroup(gus, { add: [gus.userId] }))).toBe('Not allowed for guest users');
    const system = realm.groups['role:moderators'];
    for (const [path, change] of [
      ['members', { add: [max.userId] }],
      ['subgroups', { add: [id] }],
      ['deactivate', {}],
    ] as const)
      expect((await olive.refused('POST', `/user_groups/${system}/${path}`, change)).msg).toBe(REFUSED);
  });

  it('make groups where the organization says so', async () => {
    const { olive, max, gus, realm } = world;
    const request = { name: `group ${++made}`, description: '', members: [] };
    expect((await gus.refused('POST', '/user_groups/create', request)).msg).toBe('Not allowed for guest users');
    await olive.patch('/realm', { can_create_groups: { new: realm.groups['role:moderators'] } });
    expect((await max.refused('POST', '/user_groups/create', request)).msg).toBe(REFUSED);
    await world.mona.post('/user_groups/create', request);
    await olive.patch('/realm', { can_create_groups: { new: realm.groups['role:members'] } });
  });

  it('are given to groups in use and to people who are there (protocol/permissions#values)', async () => {
    const { max, realm } = world;
    const off = await make();
    await max.post(`/user_groups/${off}/deactivate`);
    const table: readonly (readonly [string, unknown, string])[] = [
      ['can_manage_group', 999_999, 'Invalid user group'],
      ['can_manage_group', off, 'User group is deactivated.'],
      [
        'can_join_group',
        realm.groups['role:everyone'],
        "'can_join_group' setting cannot be set to 'role:everyone' group.",
      ],
      [
        'can_leave_group',
        realm.groups['role:internet'],
        "'can_leave_group' setting cannot be set to 'role:internet' group.",
      ],
      ['can_leave_group', { direct_members: [999_999], direct_subgroups: [] }, 'Invalid user ID: 999999'],
      ['can_leave_group', { direct_members: [], direct_subgroups: [1, 999_999] }, 'Invalid user group ID: 999999'],
    ];
    for (const [name, value, msg] of table) {
      expect((await max.refused('PATCH', `/user_groups/${id}`, { [name]: { new: value } })).msg).toBe(msg);
      const fresh = { name: `group ${++made}`, description: '', members: [], [name]: value };
      expect((await max.refused('POST', '/user_groups/create', fresh as Body)).msg).toBe(msg);
    }
    expect(
      await max.refused('PATCH', `/user_groups/${id}`, {
        can_join_group: { new: 1, old: realm.groups['role:owners'] },
      }),
    ).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
    const [events] = await expectSync([world.gus], () =>
      max.patch(`/user_groups/${id}`, {
        description: 'all',
        can_join_group: { new: { direct_members: [], direct_subgroups: [realm.groups['role:members']] } },
        can_leave_group: { new: only(max) },
      }),
    );
    expect(events).toMatchObject([
      { data: { description: 'all', can_join_group: realm.groups['role:members'], can_leave_group: only(max) } },
    ]);
  });

  it('do not come back with a group whose subgroups, or managers, were deactivated meanwhile', async () => {
    const { max, mia } = world;
    const inner = await make({ members: [mia.userId] });
    const outer = await make({ subgroups: [inner] });
    const managers = { direct_members: [max.userId], direct_subgroups: [inner] };
    const managed = await make({ can_manage_group: managers });
    const change = (group: number, deactivated: boolean) =>
      deactivated
        ? max.post(`/user_groups/${group}/deactivate`)
        : max.request('PATCH', `/user_groups/${group}`, { deactivated });
    for (const group of [outer, managed, inner]) await change(group, true);
    for (const group of [outer, managed])
      expect((await max.refused('PATCH', `/user_groups/${group}`, { deactivated: false })).msg).toMatch(
        /^This group uses the deactivated user group 'group \d+'\. Reactivate that one first\.$/,
      );
    const { user_groups } = await max.get('/user_groups');
    const shown = user_groups.map((group: Body) => group['id']);
    for (const group of [outer, managed, inner]) expect(shown).not.toContain(group);
    for (const group of [inner, outer, managed]) expect((await change(group, false)).status ?? 200).toBe(200);
    expect((await max.get(`/user_groups/${outer}/members`))['members']).toContain(mia.userId);
  });

  it('end with the group: it takes nobody in, and nothing takes it in', async () => {
    const { max, mia } = world;
    const other = await make();
    await max.post(`/user_groups/${id}/deactivate`);
    expect((await max.refused('POST', `/user_groups/${id}/deactivate`)).msg).toBe('User group is deactivated.');
    expect(msgOf(await inGroup(max, { add: [mia.userId] }))).toBe('User group is deactivated.');
    expect((await max.refused('POST', `/user_groups/${other}/subgroups`, { add: [id] })).msg).toBe(
      'User group is deactivated.',
    );
    await max.patch(`/user_groups/${id}`, { name: `group ${++made}` });
    const { user_groups } = await mia.get('/user_groups');
    expect(user_groups.map((group: Body) => group['id'])).not.toContain(id);
  });

  it('take what comes at once in turn: one group of a name, one membership of a person', async () => {
    const { max, mia, gus } = world;
    const request = { name: `group ${++made}`, description: '', members: [] };
    const [events] = await expectSync([gus], async () => {
      const groups = await Promise.all([1, 2, 3, 4].map(() => max.request('POST', '/user_groups/create', request)));
      expect(groups.filter(({ status }) => status === 200)).toHaveLength(1);
      const members = await Promise.all([1, 2, 3, 4].map(() => inGroup(max, { add: [mia.userId] })));
      expect(members.map(msgOf).filter((msg) => msg !== 'done')).toEqual(
        [1, 2, 3].map(() => `User ${mia.userId} is already a member of this group`),
      );
    });
    expect(events?.map((event) => event['op'])).toEqual(['add', 'add_members']);
  });

  it('hold through rings that two requests try to close at once', async () => {
    const { max } = world;
    const other = await make();
    const replies = await Promise.all([
      max.request('POST', `/user_groups/${id}/subgroups`, { add: [other] }),
      max.request('POST', `/user_groups/${other}/subgroups`, { add: [id] }),
    ]);
    expect(replies.map(msgOf).filter((msg) => msg === 'done')).toHaveLength(1);
    expect(replies.map(msgOf)).toContainEqual(expect.stringContaining('is already a subgroup of one of the passed'));
  });
});
