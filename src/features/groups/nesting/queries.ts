import type { GroupId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { cachedQuery, compiled, type RealmReadTx, sql } from '#kernel/store';
import type { GroupRow } from '../tables.ts';

/** The groups found so far with those that hold them directly: a step upwards. */
const holding = ({ realmId, dialect }: Pick<RealmReadTx, 'realmId' | 'dialect'>) =>
  dialect.joinedByIndex(sql`above`, {
    table: 'user_group_subgroup',
    as: 's',
    columns: ['group_id'],
    where: sql`s.subgroup_id = above.id and s.realm_id = ${realmId}`,
  });

/** The groups found so far with those that they hold directly: a step downwards. */
const held = ({ realmId, dialect }: Pick<RealmReadTx, 'realmId' | 'dialect'>) =>
  dialect.joinedByIndex(sql`below`, {
    table: 'user_group_subgroup',
    as: 's',
    columns: ['subgroup_id'],
    where: sql`s.group_id = below.id and s.realm_id = ${realmId}`,
  });

/**
 * Every group the user is in, through any nesting: upwards from the groups that hold the user directly and from the
 * system groups of the user's role. Its cost follows the user's groups, not the size of the organization.
 */
export const groupsAbove = cachedQuery(
  ['user_group', 'user_group_member', 'user_group_subgroup'],
  async (tx: RealmReadTx, userId: UserId, systemGroups: readonly GroupId[]): Promise<ReadonlySet<GroupId>> => {
    const rows = await allAbove(tx, userId, systemGroups);
    return new Set(rows.map((row) => row.id));
  },
);

const allAbove = compiled(
  ({ realmId, dialect }, userId: UserId, systemGroups: readonly GroupId[]) => sql<{ id: GroupId }>`
    with recursive above(id) as (
      select group_id from user_group_member where realm_id = ${realmId} and user_id = ${userId}
      union
      select id from user_group where ${dialect.anyOf('id', systemGroups)}
      union
      select s.group_id from ${holding({ realmId, dialect })}
    ) select id from above`,
);

/** The groups and everything nested in them. */
export async function groupsBelow(tx: RealmReadTx, ids: readonly GroupId[]): Promise<readonly GroupId[]> {
  const { rows } = await sql<{ id: GroupId }>`
    with recursive below(id) as (
      select id from user_group where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select s.subgroup_id from ${held(tx)}
    ) select id from below`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Each of the groups with everything nested in it. */
export async function groupsBelowEach(
  tx: RealmReadTx,
  ids: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, readonly GroupId[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ root: GroupId; id: GroupId }>`
    with recursive below(root, id) as (
      select id, id from user_group where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select below.root, s.subgroup_id from ${held(tx)}
    ) select root, id from below`.execute(tx.db);
  return grouped(rows.map((row) => [row.root, row.id]));
}

/** The groups and everything they are nested in, anonymous groups included. */
export async function groupsHolding(tx: RealmReadTx, ids: readonly GroupId[]): Promise<readonly GroupId[]> {
  const { rows } = await sql<{ id: GroupId }>`
    with recursive above(id) as (
      select id from user_group where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}
      union
      select s.group_id from ${holding(tx)}
    ) select id from above`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Groups that hold the group directly: named ones, and anonymous ones that stand for a setting's value. */
export function directHolders(tx: RealmReadTx, id: GroupId): Promise<readonly GroupRow[]> {
  return tx.db
    .selectFrom('user_group_subgroup')
    .innerJoin('user_group', 'user_group.id', 'user_group_subgroup.group_id')
    .selectAll('user_group')
    .where('user_group_subgroup.realm_id', '=', tx.realmId)
    .where('user_group_subgroup.subgroup_id', '=', id)
    .orderBy('user_group.id')
    .execute();
}
