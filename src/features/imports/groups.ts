import { GROUP_SETTINGS } from '#features/groups';
import { REALM_GROUP_SETTINGS } from '#features/realms';
import { asId, type GroupId, recordOf } from '#kernel/ids';
import { type GroupSetting, SYSTEM_GROUPS, type SystemGroupName } from '#kernel/permissions';
import { insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { Entry } from './entry.ts';
import type { Plan } from './plan.ts';
import { groupByPolicy } from './policies.ts';
import { Names } from './values.ts';

/** Longest name of a group, in code points. */
const MAX_NAME = 100;

export type SystemGroups = Readonly<Record<SystemGroupName, GroupId>>;

/** Stores the user groups; the IDs of those that follow the roles. */
export async function importGroups(tx: WriteTx, plan: Plan): Promise<SystemGroups> {
  const { tables, report } = plan;
  const named = new Map(
    tables.rows('zerver_namedusergroup').map((row) => [row.idOrNull('usergroup_ptr') ?? row.id('id'), row]),
  );
  const known = tables
    .rows('zerver_usergroup')
    .map((row) => ({ row: named.get(row.id('id')) ?? row, id: row.id('id') }));
  const system = systemGroups(plan, known);
  const names = new Names();
  const rows = known.map((one) => toGroup(plan, system, names, one));
  const missing = SYSTEM_GROUPS.filter(
    ({ name }) => !rows.some((row) => row.group_kind === 'system' && row.name === name),
  );
  await insertWhole(tx, 'user_group', [...rows, ...missing.map((group) => systemGroup(plan, system, group))]);
  const kinds = new Map(rows.map((row) => [row.id, row.group_kind]));
  await insertWhole(tx, 'user_group_member', members(plan, kinds));
  await insertWhole(tx, 'user_group_subgroup', [...subgroups(plan, kinds), ...nesting(plan, system)]);
  report.count('user groups', rows.filter((row) => row.group_kind === 'named').length);
  return system;
}

/** The group of each permission of a row, or the one that the permission has from the start. */
export function permissionColumns<N extends string>(
  plan: Plan,
  system: SystemGroups,
  row: Entry | undefined,
  settings: readonly (GroupSetting & { readonly name: N })[],
): Record<N, GroupId> {
  const byName = new Map<string, GroupSetting>(settings.map((setting) => [setting.name, setting]));
  return recordOf(
    settings.map(({ name }) => name),
    (name) => {
      const given = row?.idOrNull(name) ?? null;
      const setting = byName.get(name)?.default ?? 'role:nobody';
      const otherwise = setting === 'channel_creator' || setting === 'group_creator' ? 'role:nobody' : setting;
      const known = plan.groups.of(given);
      if (row && given !== null && known === undefined)
        plan.report.remark('permissions of groups that are not in the archive', row.placeOf(name));
      return known ?? system[(row && groupByPolicy(row, name)) ?? otherwise];
    },
  );
}

/** The organization's own permissions. */
export function realmPermissions(plan: Plan, system: SystemGroups, row: Entry | undefined) {
  return permissionColumns(plan, system, row, REALM_GROUP_SETTINGS);
}

interface Known {
  readonly row: Entry;
  readonly id: number;
}

function systemName(row: Entry): SystemGroupName | undefined {
  const name = row.text('name', '').replace(/^@/, '');
  if (!row.bool('is_system_group', false)) return undefined;
  return SYSTEM_GROUPS.find((group) => group.name === name)?.name;
}

function systemGroups({ groups }: Plan, known: readonly Known[]): SystemGroups {
  return recordOf(
    SYSTEM_GROUPS.map(({ name }) => name),
    (name) => groups.of(known.find(({ row }) => systemName(row) === name)?.id ?? null) ?? groups.fresh(),
  );
}

function toGroup(plan: Plan, system: SystemGroups, names: Names, { row, id }: Known): WholeRow<'user_group'> {
  const systemGroupName = systemName(row);
  const given = row.text('name', '').trim();
  const kind = systemGroupName !== undefined ? 'system' : given === '' ? 'anonymous' : 'named';
  const name = systemGroupName ?? (kind === 'named' ? names.free(given, MAX_NAME) : '');
  if (kind === 'named' && name !== given) plan.report.remark('groups with another name', `${given}: ${name}`);
  return {
    id: plan.groups.of(id) ?? asId<GroupId>(id),
    realm_id: plan.realmId,
    group_kind: kind,
    name,
    name_key: foldCase(name),
    description: row.text('description', ''),
    creator_id: plan.users.orNull(row.idOrNull('creator')),
    date_created: row.time('date_created', plan.now),
    deactivated: row.bool('deactivated', false),
    ...permissionColumns(plan, system, kind === 'named' ? row : undefined, kind === 'named' ? GROUP_SETTINGS : NOBODYS),
  };
}

/** Groups that are nobody's to change have permissions that nobody holds. */
const NOBODYS = GROUP_SETTINGS.map((setting) => ({ ...setting, default: 'role:nobody' as const }));

function systemGroup(plan: Plan, system: SystemGroups, group: (typeof SYSTEM_GROUPS)[number]): WholeRow<'user_group'> {
  return {
    id: system[group.name],
    realm_id: plan.realmId,
    group_kind: 'system',
    name: group.name,
    name_key: foldCase(group.name),
    description: group.description,
    creator_id: null,
    date_created: plan.now,
    deactivated: false,
    ...permissionColumns(plan, system, undefined, NOBODYS),
  };
}

type Kinds = ReadonlyMap<GroupId, WholeRow<'user_group'>['group_kind']>;

/** Those that follow the roles have no members of their own here. */
function members({ tables, groups, users, realmId }: Plan, kinds: Kinds): readonly WholeRow<'user_group_member'>[] {
  return unique(
    tables.rows('zerver_usergroupmembership').flatMap((row) => {
      const [group_id, user_id] = [groups.of(row.idOrNull('user_group')), users.of(row.idOrNull('user_profile'))];
      if (group_id === undefined || user_id === undefined || kinds.get(group_id) === 'system') return [];
      return [{ realm_id: realmId, group_id, user_id }];
    }),
  );
}

function subgroups({ tables, groups, realmId }: Plan, kinds: Kinds): readonly WholeRow<'user_group_subgroup'>[] {
  return unique(
    tables.rows('zerver_groupgroupmembership').flatMap((row) => {
      const [group_id, subgroup_id] = [groups.of(row.idOrNull('supergroup')), groups.of(row.idOrNull('subgroup'))];
      if (group_id === undefined || subgroup_id === undefined || kinds.get(group_id) === 'system') return [];
      return [{ realm_id: realmId, group_id, subgroup_id }];
    }),
  );
}

/** Each group of a role is the one subgroup of the next; nobody's stands outside. */
function nesting({ realmId }: Plan, system: SystemGroups): readonly WholeRow<'user_group_subgroup'>[] {
  const chain = SYSTEM_GROUPS.map(({ name }) => system[name]).slice(1);
  return chain
    .slice(1)
    .map((group_id, index) => ({ realm_id: realmId, group_id, subgroup_id: chain[index] ?? group_id }));
}

/** Rows that differ. */
export function unique<T extends object>(rows: readonly T[]): readonly T[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}
