import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type GroupId } from '#kernel/ids';
import { sql } from '#kernel/store';
import { databasesInTurn } from '../support/databases.ts';
import { least, longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

/** Groups of which each holds the one before it. */
const DEPTH = 1000;
/** Of those, groups of which each then holds all before it. */
const DENSE = 300;
/** As many such groups as have 100,000 subgroups together. */
const ALL = 448;
/** As many such groups as have fewer than half as many. */
const HALF = 290;
/** Milliseconds for eight changes of the widest of them. */
const MAX_CHANGES_MS = 8000;
/** Milliseconds of processor time; it takes 20. */
const MAX_MS = 200;

describe.each(databasesInTurn(import.meta.url))('a thousand groups, each within the next, on %s', (name) => {
  let world: World;
  const groups: number[] = [];
  beforeAll(async () => {
    world = await openWorld(name);
    const { adam, gus } = world;
    const create = async (name: string, fields: object) =>
      (await adam.post('/user_groups/create', { name, description: '', ...fields }))['group_id'];
    const first: number = await create('ring 0', { members: [gus.userId] });
    const within = await copies(first, DEPTH - 2);
    groups.push(first, ...within, await create(`ring ${DEPTH - 1}`, { members: [], subgroups: [within.at(-1)] }));
  }, 120_000);

  /** Copies a group so many times, each with the one before it as a subgroup; returns their IDs. */
  const copies = (first: number, count: number): Promise<readonly number[]> =>
    world.server.context.store.of(world.realm.id).write(async ({ db }) => {
      const { id, ...row } = await db
        .selectFrom('user_group')
        .selectAll()
        .where('id', '=', asId<GroupId>(first))
        .executeTakeFirstOrThrow();
      const names = Array.from({ length: count }, (_none, index) => `ring ${index + 1}`);
      const rows = names.map((name) => ({ ...row, name, name_key: name }));
      const ids = (await db.insertInto('user_group').values(rows).returning('id').execute()).map((made) => made.id);
      const pairs = ids.map((group_id, index) => ({
        realm_id: row.realm_id,
        group_id,
        subgroup_id: ids[index - 1] ?? id,
      }));
      await db.insertInto('user_group_subgroup').values(pairs).execute();
      return ids;
    });
  afterAll(() => world.close());
  const innermost = () => groups[0] ?? 0;
  const outermost = () => groups.at(-1) ?? 0;

  it('have the member of the innermost in the outermost', async () => {
    const { gus, mia } = world;
    const isMember = async (user: number) =>
      (await world.adam.get(`/user_groups/${outermost()}/members/${user}`))['is_user_group_member'];
    expect(await isMember(gus.userId)).toBe(true);
    expect(await isMember(mia.userId)).toBe(false);
    expect((await world.adam.get(`/user_groups/${outermost()}/members`))['members']).toEqual([gus.userId]);
    expect((await world.adam.get(`/user_groups/${outermost()}/subgroups`))['subgroups']).toHaveLength(DEPTH - 1);
  });

  it('give the member of the innermost what the outermost may, and nobody else', async () => {
    const { adam, gus, max } = world;
    const fields = { subscriptions: [{ name: 'rings' }], principals: [gus.userId, max.userId] };
    await adam.post('/users/me/subscriptions', { ...fields, can_send_message_group: outermost() });
    const message = { type: 'channel', to: 'rings', topic: 't', content: 'from within' };
    await gus.post('/messages', message);
    expect((await max.refused('POST', '/messages', message)).status).toBe(400);
  });

  it('take nobody in a circle', async () => {
    const refused = await world.adam.refused('POST', `/user_groups/${innermost()}/subgroups`, { add: [outermost()] });
    expect(refused.status).toBe(400);
  });

  it('are told of when somebody registers, and when the innermost changes', async () => {
    const { adam, gus, mia } = world;
    const queue = await mia.register({ event_types: ['user_group'], fetch_event_types: ['realm_user_groups'] });
    const groupsShown: { name: string }[] = queue.state['realm_user_groups'];
    expect(groupsShown.filter(({ name: title }) => title.startsWith('ring '))).toHaveLength(DEPTH);
    await adam.post(`/user_groups/${innermost()}/members`, { delete: [gus.userId], add: [mia.userId] });
    expect((await queue.events()).map(({ op }) => op)).toEqual(['add_members', 'remove_members']);
    expect((await adam.get(`/user_groups/${outermost()}/members`))['members']).toEqual([mia.userId]);
  });

  /** Has each of the groups up to `last` hold all before it. */
  const nestAll = (last: number) =>
    world.server.context.store.in(world.realm).write((tx) =>
      sql`insert into user_group_subgroup (realm_id, group_id, subgroup_id)
        select ${world.realm.id}, above.id, below.id from user_group above, user_group below
        where above.name like 'ring %' and below.name like 'ring %' and above.id <= ${last} and below.id < above.id
          and not exists (select 1 from user_group_subgroup s where s.group_id = above.id and s.subgroup_id = below.id)
      `.execute(tx.db),
    );

  const unnestAll = (from: number) =>
    world.server.context.store
      .in(world.realm)
      .write((tx) =>
        sql`delete from user_group_subgroup where realm_id = ${world.realm.id} and group_id > ${from}`.execute(tx.db),
      );

  it('keep nobody waiting where each of hundreds holds all before it', async () => {
    const { adam, max } = world;
    const last = groups[DENSE - 1] ?? 0;
    await nestAll(last);
    const below = () => adam.get(`/user_groups/${last}/subgroups`);
    expect(await least(MAX_MS, () => longestTurnMs(below))).toBeLessThan(MAX_MS);
    expect((await below())['subgroups']).toHaveLength(DENSE - 1);
    let round = 0;
    const join = () =>
      adam.post(`/user_groups/${innermost()}/members`, { [round++ % 2 === 0 ? 'add' : 'delete']: [max.userId] });
    expect(await least(MAX_MS, () => longestTurnMs(join))).toBeLessThan(MAX_MS);
  });

  it('have no more members and subgroups than everybody can be told of (protocol/groups#operations)', async () => {
    const { adam, mia, mona } = world;
    await nestAll(groups[ALL - 1] ?? 0);
    const full = { msg: 'Groups can have at most 100000 members and subgroups in all.', code: 'BAD_REQUEST' };
    const ring = `/user_groups/${outermost()}`;
    const creating = { name: 'one more', description: '', members: [mia.userId] };
    expect(await adam.refused('POST', '/user_groups/create', creating)).toMatchObject(full);
    expect(await adam.refused('POST', `${ring}/members`, { add: [mona.userId] })).toMatchObject(full);
    expect(await adam.refused('POST', `${ring}/subgroups`, { add: [innermost()] })).toMatchObject(full);
    await adam.post('/user_groups/create', { ...creating, members: [] });
    await adam.post(`${ring}/members`, { add: [mona.userId], delete_subgroups: [groups.at(-2) ?? 0] });
    expect(await adam.refused('POST', `${ring}/members`, { add: [mia.userId] })).toMatchObject(full);

    expect(
      await adam.refused('POST', `${ring}/members`, {
        add: [mia.userId, world.max.userId],
        delete: [mona.userId, mona.userId],
      }),
    ).toMatchObject(full);
    await adam.post(`${ring}/members`, { add: [mia.userId], delete: [mona.userId] });
  });

  it('change without reading all of them at each step, and have room for administrators that others cannot fill', async () => {
    const { adam, mia, mona } = world;
    const own = { name: 'nest of mia', description: '', members: [] };
    const { group_id } = await mia.post('/user_groups/create', own);
    await nestAll(groups[ALL - 1] ?? 0);
    const full = { msg: 'Only administrators can add to groups that have 50000 members and subgroups in all.' };
    const add = () => mia.refused('POST', `/user_groups/${group_id}/members`, { add: [mona.userId] });
    const start = performance.now();
    for (let at = ALL - 8; at < ALL; at++)
      await adam.post(`/user_groups/${groups[at]}/subgroups`, { delete: groups.slice(0, at) });
    expect(performance.now() - start).toBeLessThan(MAX_CHANGES_MS);
    expect(await add()).toMatchObject(full);
    expect(
      await mia.refused('POST', '/user_groups/create', { ...own, name: 'two', members: [mia.userId] }),
    ).toMatchObject(full);
    await adam.post(`/user_groups/${outermost()}/members`, { add: [mona.userId] });
    await unnestAll(groups[HALF] ?? 0);
    await mia.post(`/user_groups/${group_id}/members`, { add: [mona.userId] });
  });
});
