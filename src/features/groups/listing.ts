import type { RealmRefReadTx } from '#kernel/auth';
import { isFullMember } from '#features/users';
import type { GroupId, UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { activeUsersByRole, directMembers, directSubgroups } from './members/queries.ts';
import { listGroups } from './queries.ts';
import { GROUP_SETTINGS } from './settings.ts';
import type { GroupRow } from './tables.ts';
import { readValues } from './values.ts';
import type { WireGroup } from './wire.ts';

/** All system and named groups as clients see them, by ID. A query more for every 10,000 members. */
export async function listWireGroups(tx: RealmRefReadTx): Promise<readonly WireGroup[]> {
  const rows = await listGroups(tx);
  const ids = rows.map((row) => row.id);
  const members = await directMembers(tx, ids);
  const subgroups = await directSubgroups(tx, ids);
  const values = await readValues(
    tx,
    rows.flatMap((row) => GROUP_SETTINGS.map(({ name }) => row[name])),
  );
  const byRole = await roleMembers(tx);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    date_created: row.group_kind === 'system' ? null : row.date_created,
    creator_id: row.creator_id,
    members: [...(byRole.get(row.id) ?? members.get(row.id) ?? [])],
    direct_subgroup_ids: [...(subgroups.get(row.id) ?? [])],
    is_system_group: row.group_kind === 'system',
    ...settingValues(row, values),
    deactivated: row.deactivated,
  }));
}

function settingValues(row: GroupRow, values: Awaited<ReturnType<typeof readValues>>) {
  const value = (id: GroupId) => values.get(id) ?? id;
  return {
    can_add_members_group: value(row.can_add_members_group),
    can_join_group: value(row.can_join_group),
    can_leave_group: value(row.can_leave_group),
    can_manage_group: value(row.can_manage_group),
    can_mention_group: value(row.can_mention_group),
    can_remove_members_group: value(row.can_remove_members_group),
  };
}

/** Direct members of the groups that follow the roles. See protocol/groups#group-object. */
async function roleMembers(tx: RealmRefReadTx): Promise<ReadonlyMap<GroupId, readonly UserId[]>> {
  const users = await activeUsersByRole(tx);
  const withRole = (role: number) => users.filter((user) => user.role === role).map((user) => user.id);
  const full = users.filter(
    (user) => user.role === Role.member && isFullMember(user, tx.realm.waitingPeriodDays, tx.now),
  );
  return new Map([
    [tx.realm.groups['role:owners'], withRole(Role.owner)],
    [tx.realm.groups['role:administrators'], withRole(Role.administrator)],
    [tx.realm.groups['role:moderators'], withRole(Role.moderator)],
    [tx.realm.groups['role:fullmembers'], full.map((user) => user.id)],
    [tx.realm.groups['role:members'], withRole(Role.member)],
    [tx.realm.groups['role:everyone'], withRole(Role.guest)],
  ]);
}
