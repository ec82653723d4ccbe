import type { GroupId, UserId } from '#kernel/ids';
import { ascending, grouped } from '#kernel/lists';
import { collectedIds, compiledColumns, inChunks, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';

/** Rows of one statement; bounds its parameters. */
const CHUNK = 500;

/** Counts the members and subgroups of all groups, also of those that stand for a permission's value, and active accounts. */
export async function countMembers(tx: RealmReadTx): Promise<{ readonly members: number; readonly accounts: number }> {
  const { rows } = await sql<{ members: number; subgroups: number; accounts: number }>`
    select (select count(*) from user_group_member where realm_id = ${tx.realmId}) as members,
      (select count(*) from user_group_subgroup where realm_id = ${tx.realmId}) as subgroups,
      (select count(*) from "user" where realm_id = ${tx.realmId} and is_active) as accounts`.execute(tx.db);
  const [{ members, subgroups, accounts } = { members: 0, subgroups: 0, accounts: 0 }] = rows;
  return { members: Number(members) + Number(subgroups), accounts: Number(accounts) };
}

export async function insertMembers(tx: RealmWriteTx, groupId: GroupId, userIds: readonly UserId[]): Promise<void> {
  await insertMembersOfEach(tx, [[groupId, userIds]]);
}

/** Adds the members of each of the groups; a statement for many. */
export async function insertMembersOfEach(
  tx: RealmWriteTx,
  members: readonly (readonly [GroupId, readonly UserId[]])[],
): Promise<void> {
  const rows = members.flatMap(([group_id, ids]) =>
    ids.map((user_id) => ({ realm_id: tx.realmId, group_id, user_id })),
  );
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('user_group_member')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function insertSubgroups(
  tx: RealmWriteTx,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  await insertSubgroupsOfEach(tx, [[groupId, subgroupIds]]);
}

/** Adds the subgroups of each of the groups; a statement for many. */
export async function insertSubgroupsOfEach(
  tx: RealmWriteTx,
  subgroups: readonly (readonly [GroupId, readonly GroupId[]])[],
): Promise<void> {
  const rows = subgroups.flatMap(([group_id, ids]) =>
    ids.map((subgroup_id) => ({ realm_id: tx.realmId, group_id, subgroup_id })),
  );
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('user_group_subgroup')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function deleteMembers(tx: RealmWriteTx, groupId: GroupId, userIds?: readonly UserId[]): Promise<void> {
  const query = tx.db
    .deleteFrom('user_group_member')
    .where('realm_id', '=', tx.realmId)
    .where('group_id', '=', groupId);
  if (!userIds) await query.execute();
  for (const ids of inChunks(userIds ?? [], CHUNK)) await query.where(tx.dialect.anyOf('user_id', ids)).execute();
}

export async function deleteSubgroups(
  tx: RealmWriteTx,
  groupId: GroupId,
  subgroupIds?: readonly GroupId[],
): Promise<void> {
  let query = tx.db
    .deleteFrom('user_group_subgroup')
    .where('realm_id', '=', tx.realmId)
    .where('group_id', '=', groupId);
  if (subgroupIds) query = query.where(tx.dialect.anyOf('subgroup_id', subgroupIds));
  await query.execute();
}

/** Most members of several groups that are read by one statement: a few milliseconds of work. */
const READ_AT_ONCE = 10_000;

/** Direct members of each group, active ones only, ascending. */
export async function directMembers(
  tx: RealmReadTx,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly UserId[]>> {
  const members = new Map<GroupId, readonly UserId[]>();
  for (const some of dividedBySize(await countsOf(tx, ids)))
    for (const [id, users] of await membersOfSome(tx, some)) members.set(id, users);
  return members;
}

/** The number of members of each group, also inactive ones; of each counted in an index, without reading rows. */
async function countsOf(tx: RealmReadTx, ids: readonly GroupId[]) {
  if (ids.length === 0) return [];
  return tx.db
    .selectFrom('user_group')
    .select([
      'id as group_id',
      sql<number>`(select count(*) from user_group_member m where m.group_id = user_group.id)`.as('count'),
    ])
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
}

function dividedBySize(counts: Awaited<ReturnType<typeof countsOf>>): readonly (readonly GroupId[])[] {
  const parts: GroupId[][] = [];
  let left = 0;
  for (const { group_id, count } of counts) {
    if (parts.length === 0 || Number(count) > left) {
      parts.push([]);
      left = READ_AT_ONCE;
    }
    parts.at(-1)?.push(group_id);
    left -= Number(count);
  }
  return parts;
}

async function membersOfSome(tx: RealmReadTx, ids: readonly GroupId[]) {
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select(['user_group_member.group_id', tx.dialect.collected('user_group_member.user_id').as('user_ids')])
    .where('user_group_member.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_group_member.group_id', ids))
    .where('user.is_active', '=', true)
    .groupBy('user_group_member.group_id')
    .execute();
  return rows.map(({ group_id, user_ids }) => [group_id, ascending(collectedIds<UserId>(user_ids))] as const);
}

/** Direct subgroups of each group, ascending. */
export async function directSubgroups(
  tx: RealmReadTx,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly GroupId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('user_group_subgroup')
    .select(['group_id', 'subgroup_id'])
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('group_id', ids))
    .orderBy('subgroup_id')
    .execute();
  return grouped(rows.map((row) => [row.group_id, row.subgroup_id]));
}

/** Active users that the groups hold directly. */
export async function activeMembersOf(tx: RealmReadTx, ids: readonly GroupId[]): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select('user_group_member.user_id')
    .distinct()
    .where('user_group_member.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_group_member.group_id', ids))
    .where('user.is_active', '=', true)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Named groups that list somebody directly, ascending. */
export async function namedGroupsOf(tx: RealmReadTx, userId: UserId): Promise<readonly GroupId[]> {
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user_group', 'user_group.id', 'user_group_member.group_id')
    .select('user_group.id')
    .where('user_group.realm_id', '=', tx.realmId)
    .where('user_group.group_kind', '=', 'named')
    .where('user_group_member.user_id', '=', userId)
    .orderBy('user_group.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Active users and bots by role, for groups that follow the roles. */
export const activeUsersByRole = compiledColumns(['id', 'role', 'date_joined'], ({ db, realmId }) =>
  db
    .selectFrom('user')
    .select(['id', 'role', 'date_joined'])
    .where('realm_id', '=', realmId)
    .where('is_active', '=', true)
    .where('is_system_bot', '=', false)
    .orderBy('id'),
);
