import type { GroupId, RealmId, UserId } from '#kernel/ids';
import { compiled, inChunks, type ReadTx, sql, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { GroupRow } from './tables.ts';

/** Rows of one statement; bounds its parameters. */
const CHUNK = 500;

export type NewGroup = Omit<GroupRow, 'id' | 'date_created' | 'deactivated'>;

export async function insertGroup(tx: WriteTx, row: NewGroup): Promise<GroupId> {
  const { id } = await tx.db
    .insertInto('user_group')
    .values({ ...row, date_created: tx.now, deactivated: false })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes so many groups that are all alike. */
export async function insertAlike(tx: WriteTx, row: NewGroup, count: number): Promise<readonly GroupId[]> {
  const ids: GroupId[] = [];
  const rows = Array.from({ length: count }, () => ({ ...row, date_created: tx.now, deactivated: false }));
  for (const chunk of inChunks(rows, CHUNK)) {
    const made = await tx.db.insertInto('user_group').values(chunk).returning('id').execute();
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** Lets role:nobody hold its own permissions: it could not name itself when it was made. */
export async function setOwnSettings(tx: WriteTx, realmId: RealmId, nobody: GroupId): Promise<void> {
  await tx.db
    .updateTable('user_group')
    .set({
      can_add_members_group: nobody,
      can_join_group: nobody,
      can_leave_group: nobody,
      can_manage_group: nobody,
      can_mention_group: nobody,
      can_remove_members_group: nobody,
    })
    .where('realm_id', '=', realmId)
    .where('id', '=', nobody)
    .execute();
}

export async function insertMembers(
  tx: WriteTx,
  realmId: RealmId,
  groupId: GroupId,
  userIds: readonly UserId[],
): Promise<void> {
  await insertMembersOfEach(tx, realmId, [[groupId, userIds]]);
}

/** Adds the members of each of the groups; a statement for many. */
export async function insertMembersOfEach(
  tx: WriteTx,
  realmId: RealmId,
  members: readonly (readonly [GroupId, readonly UserId[]])[],
): Promise<void> {
  const rows = members.flatMap(([group_id, ids]) => ids.map((user_id) => ({ realm_id: realmId, group_id, user_id })));
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('user_group_member')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function insertSubgroups(
  tx: WriteTx,
  realmId: RealmId,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  await insertSubgroupsOfEach(tx, realmId, [[groupId, subgroupIds]]);
}

/** Adds the subgroups of each of the groups; a statement for many. */
export async function insertSubgroupsOfEach(
  tx: WriteTx,
  realmId: RealmId,
  subgroups: readonly (readonly [GroupId, readonly GroupId[]])[],
): Promise<void> {
  const rows = subgroups.flatMap(([group_id, ids]) =>
    ids.map((subgroup_id) => ({ realm_id: realmId, group_id, subgroup_id })),
  );
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('user_group_subgroup')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function deleteMembers(
  tx: WriteTx,
  realmId: RealmId,
  groupId: GroupId,
  userIds?: readonly UserId[],
): Promise<void> {
  let query = tx.db.deleteFrom('user_group_member').where('realm_id', '=', realmId).where('group_id', '=', groupId);
  if (userIds) query = query.where(tx.dialect.anyOf('user_id', userIds));
  await query.execute();
}

export async function deleteSubgroups(
  tx: WriteTx,
  realmId: RealmId,
  groupId: GroupId,
  subgroupIds?: readonly GroupId[],
): Promise<void> {
  let query = tx.db.deleteFrom('user_group_subgroup').where('realm_id', '=', realmId).where('group_id', '=', groupId);
  if (subgroupIds) query = query.where(tx.dialect.anyOf('subgroup_id', subgroupIds));
  await query.execute();
}

/** Ends an anonymous group that no setting holds any more. */
export async function deleteGroup(tx: WriteTx, realmId: RealmId, groupId: GroupId): Promise<void> {
  await deleteMembers(tx, realmId, groupId);
  await deleteSubgroups(tx, realmId, groupId);
  await tx.db.deleteFrom('user_group').where('realm_id', '=', realmId).where('id', '=', groupId).execute();
}

/** Groups by ID; unknown IDs are missing from the map. */
export async function findGroups(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, GroupRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('user_group')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** System and named groups, deactivated ones included, by ID. */
export function listGroups(tx: ReadTx, realmId: RealmId): Promise<readonly GroupRow[]> {
  return tx.db
    .selectFrom('user_group')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('group_kind', '!=', 'anonymous')
    .orderBy('id')
    .execute();
}

/** Direct members of each group, active ones only, ascending. */
export async function directMembers(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly UserId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select(['user_group_member.group_id', 'user_group_member.user_id'])
    .where('user_group_member.realm_id', '=', realmId)
    .where(tx.dialect.anyOf('user_group_member.group_id', ids))
    .where('user.is_active', '=', true)
    .orderBy('user_group_member.user_id')
    .execute();
  return grouped(rows.map((row) => [row.group_id, row.user_id]));
}

/** Direct subgroups of each group, ascending. */
export async function directSubgroups(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly GroupId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('user_group_subgroup')
    .select(['group_id', 'subgroup_id'])
    .where('realm_id', '=', realmId)
    .where(tx.dialect.anyOf('group_id', ids))
    .orderBy('subgroup_id')
    .execute();
  return grouped(rows.map((row) => [row.group_id, row.subgroup_id]));
}

/**
 * Every group the user is in, through any nesting: upwards from the groups that hold the user directly and from the
 * system groups of the user's role. Its cost follows the user's groups, not the size of the organization.
 */
export async function groupsAbove(
  tx: ReadTx,
  realmId: RealmId,
  userId: UserId,
  systemGroups: readonly GroupId[],
): Promise<ReadonlySet<GroupId>> {
  const rows = await allAbove(tx, realmId, userId, systemGroups);
  return new Set(rows.map((row) => row.id));
}

const allAbove = compiled(
  (_db, [realmId, userId, systemGroups]: [RealmId, UserId, readonly GroupId[]], dialect) => sql<{ id: GroupId }>`
    with recursive above(id) as (
      select group_id from user_group_member where realm_id = ${realmId} and user_id = ${userId}
      union
      select id from user_group where ${dialect.anyOf('id', systemGroups)}
      union
      select s.group_id from user_group_subgroup s join above on s.subgroup_id = above.id where s.realm_id = ${realmId}
    ) select id from above`,
);

/** The groups and everything nested in them. */
export async function groupsBelow(tx: ReadTx, realmId: RealmId, ids: readonly GroupId[]): Promise<readonly GroupId[]> {
  const { rows } = await sql<{ id: GroupId }>`
    with recursive below(id) as (
      select id from user_group where realm_id = ${realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select s.subgroup_id from user_group_subgroup s join below on s.group_id = below.id where s.realm_id = ${realmId}
    ) select id from below`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Each of the groups with everything nested in it. */
export async function groupsBelowEach(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly GroupId[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ root: GroupId; id: GroupId }>`
    with recursive below(root, id) as (
      select id, id from user_group where realm_id = ${realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select below.root, s.subgroup_id from user_group_subgroup s join below on s.group_id = below.id
      where s.realm_id = ${realmId}
    ) select root, id from below`.execute(tx.db);
  return grouped(rows.map((row) => [row.root, row.id]));
}

/** The groups and everything they are nested in, anonymous groups included. */
export async function groupsHolding(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<readonly GroupId[]> {
  const { rows } = await sql<{ id: GroupId }>`
    with recursive above(id) as (
      select id from user_group where realm_id = ${realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select s.group_id from user_group_subgroup s join above on s.subgroup_id = above.id where s.realm_id = ${realmId}
    ) select id from above`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Changes columns of one group. */
export async function setGroup(
  tx: WriteTx,
  realmId: RealmId,
  id: GroupId,
  values: Partial<Omit<GroupRow, 'id' | 'realm_id'>>,
): Promise<void> {
  await tx.db.updateTable('user_group').set(values).where('realm_id', '=', realmId).where('id', '=', id).execute();
}

/** The named or system group of this name, ignoring case, deactivated ones included. */
export function findGroupByName(tx: ReadTx, realmId: RealmId, name: string): Promise<GroupRow | undefined> {
  return tx.db
    .selectFrom('user_group')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('group_kind', '!=', 'anonymous')
    .where('name_key', '=', foldCase(name))
    .executeTakeFirst();
}

/** Groups that hold the group directly: named ones, and anonymous ones that stand for a setting's value. */
export function directHolders(tx: ReadTx, realmId: RealmId, id: GroupId): Promise<readonly GroupRow[]> {
  return tx.db
    .selectFrom('user_group_subgroup')
    .innerJoin('user_group', 'user_group.id', 'user_group_subgroup.group_id')
    .selectAll('user_group')
    .where('user_group_subgroup.realm_id', '=', realmId)
    .where('user_group_subgroup.subgroup_id', '=', id)
    .orderBy('user_group.id')
    .execute();
}

const CHANNEL_COLUMNS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
] as const;
const GROUP_COLUMNS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

/** Channels in use with a permission that one of the groups stands for; their permissions. */
export function channelsWithSettings(tx: ReadTx, realmId: RealmId, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('channel')
    .select(['id', ...CHANNEL_COLUMNS])
    .where('realm_id', '=', realmId)
    .where('is_archived', '=', false)
    .where((where) => where.or(CHANNEL_COLUMNS.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}

/** Named groups in use with a permission that one of the groups stands for; their permissions. */
export function groupsWithSettings(tx: ReadTx, realmId: RealmId, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('user_group')
    .select(['id', ...GROUP_COLUMNS])
    .where('realm_id', '=', realmId)
    .where('group_kind', '=', 'named')
    .where('deactivated', '=', false)
    .where((where) => where.or(GROUP_COLUMNS.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}

/** Active users that the groups hold directly. */
export async function activeMembersOf(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly GroupId[],
): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select('user_group_member.user_id')
    .distinct()
    .where('user_group_member.realm_id', '=', realmId)
    .where(tx.dialect.anyOf('user_group_member.group_id', ids))
    .where('user.is_active', '=', true)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Named groups that list somebody directly, ascending. */
export async function namedGroupsOf(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<readonly GroupId[]> {
  const rows = await tx.db
    .selectFrom('user_group_member')
    .innerJoin('user_group', 'user_group.id', 'user_group_member.group_id')
    .select('user_group.id')
    .where('user_group.realm_id', '=', realmId)
    .where('user_group.group_kind', '=', 'named')
    .where('user_group_member.user_id', '=', userId)
    .orderBy('user_group.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Active users and bots by role, for groups that follow the roles. */
export function activeUsersByRole(
  tx: ReadTx,
  realmId: RealmId,
): Promise<readonly { id: UserId; role: number; date_joined: number }[]> {
  return tx.db
    .selectFrom('user')
    .select(['id', 'role', 'date_joined'])
    .where('realm_id', '=', realmId)
    .where('is_active', '=', true)
    .where('is_system_bot', '=', false)
    .orderBy('id')
    .execute();
}

/** Up to when full members have been announced; undefined before the first time. */
export async function findAnnouncedUntil(tx: ReadTx, realmId: RealmId): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('full_member_clock')
    .select('announced_until')
    .where('realm_id', '=', realmId)
    .executeTakeFirst();
  return row?.announced_until;
}

export async function setAnnouncedUntil(tx: WriteTx, realmId: RealmId, announced_until: number): Promise<void> {
  await tx.db
    .insertInto('full_member_clock')
    .values({ realm_id: realmId, announced_until })
    .onConflict((conflict) => conflict.columns(['realm_id']).doUpdateSet({ announced_until }))
    .execute();
}

function grouped<K, V>(pairs: readonly (readonly [K, V])[]): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
