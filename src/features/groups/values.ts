import { findUsers } from '#features/users';
import type { RealmRef, RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { GroupId } from '#kernel/ids';
import { inTurn } from '#kernel/lists';
import type { GroupSetting, GroupSettingValue } from '#kernel/permissions';
import {
  ExpectationMismatch,
  GroupNotAllowed,
  InvalidGroupId,
  InvalidUserGroup,
  InvalidUserId,
  SystemGroupRequired,
  UserGroupDeactivated,
} from './errors.ts';
import {
  deleteMembers,
  deleteSubgroups,
  directMembers,
  directSubgroups,
  insertMembers,
  insertMembersOfEach,
  insertSubgroups,
  insertSubgroupsOfEach,
} from './members/queries.ts';
import { systemGroupName } from './membership.ts';
import { deleteGroup, findGroups, insertAlike, insertGroup } from './queries.ts';
import { normalise, sameValue } from './rules.ts';
import { unmanagedGroup } from './system-groups.ts';

const anonymousGroup = ({ id, groups }: RealmRef) =>
  unmanagedGroup(id, groups['role:nobody'], { group_kind: 'anonymous', name: '', description: '' });

/** A change of a setting as a client sends it. */
export interface Change {
  readonly new: GroupSettingValue;
  readonly old?: GroupSettingValue | undefined;
}

/** The wire values of settings whose groups are given: an ID, or people and groups where the group is anonymous. */
export async function readValues(
  tx: RealmRefReadTx,
  groupIds: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, GroupSettingValue>> {
  const unique = [...new Set(groupIds)];
  const known = await findGroups(tx, unique);
  const anonymous = unique.filter((id) => known.get(id)?.group_kind === 'anonymous');
  const members = await directMembers(tx, anonymous);
  const subgroups = await directSubgroups(tx, anonymous);
  return new Map(
    unique.map((id) => {
      if (known.get(id)?.group_kind !== 'anonymous') return [id, id];
      return [
        id,
        normalise({ direct_members: members.get(id) ?? [], direct_subgroups: subgroups.get(id) ?? [] }, tx.realm),
      ];
    }),
  );
}

/**
 * The normalised new value when it differs from the current one, else undefined. Order of protocol/permissions#values:
 * normalise, compare `old`, skip what changes nothing.
 */
export async function changedValue(
  tx: RealmRefReadTx,
  current: GroupId,
  change: Change,
): Promise<GroupSettingValue | undefined> {
  const now = (await readValues(tx, [current])).get(current) ?? current;
  if (change.old !== undefined && !sameValue(normalise(change.old, tx.realm), now))
    throw ExpectationMismatch({ field_name: 'old' });
  const wanted = normalise(change.new, tx.realm);
  return sameValue(wanted, now) ? undefined : wanted;
}

/** Throws unless the (normalised) value is allowed for the setting. See protocol/permissions#value-checks. */
export async function assertAllowed(
  tx: RealmRefReadTx,
  setting: GroupSetting,
  value: GroupSettingValue,
): Promise<void> {
  if (typeof value === 'number') return assertGroupAllowed(tx, setting, value);
  if (setting.requiresSystemGroup) throw SystemGroupRequired({ setting_name: setting.name });
  const users = await findUsers(tx, value.direct_members);
  for (const id of value.direct_members) if (!users.get(id)?.is_active) throw InvalidUserId({ id });
  const groups = await findGroups(tx, value.direct_subgroups);
  for (const id of value.direct_subgroups) {
    const group = groups.get(id);
    if (!group || group.group_kind === 'anonymous') throw InvalidGroupId({ id });
    if (group.deactivated) throw UserGroupDeactivated();
  }
}

async function assertGroupAllowed(tx: RealmRefReadTx, setting: GroupSetting, id: GroupId): Promise<void> {
  const group = (await findGroups(tx, [id])).get(id);
  if (!group || group.group_kind === 'anonymous') throw InvalidUserGroup();
  if (group.deactivated) throw UserGroupDeactivated();
  const name = systemGroupName(tx.realm, id);
  if (setting.requiresSystemGroup && name === undefined) throw SystemGroupRequired({ setting_name: setting.name });
  if (name === undefined) return;
  const refused =
    name === 'role:internet' ||
    (name === 'role:nobody' && !setting.allowsNobody) ||
    (name === 'role:everyone' && !setting.allowsEveryone) ||
    (setting.allowedSystemGroups.length > 0 && !setting.allowedSystemGroups.includes(name));
  if (refused) throw GroupNotAllowed({ setting: setting.name, group: name });
}

/**
 * Stores a value and returns the group that stands for it. `current` is the group the setting had: an anonymous one is
 * used again while the value stays in object form, and ends when it becomes a group of its own.
 */
export async function storeValue(tx: RealmRefWriteTx, value: GroupSettingValue, current?: GroupId): Promise<GroupId> {
  const before = current === undefined ? undefined : (await findGroups(tx, [current])).get(current);
  const anonymous = before?.group_kind === 'anonymous' ? before.id : undefined;
  if (typeof value === 'number') {
    if (anonymous !== undefined) await deleteGroup(tx, anonymous);
    return value;
  }
  if (anonymous !== undefined) {
    await deleteMembers(tx, anonymous);
    await deleteSubgroups(tx, anonymous);
  }
  const id = anonymous ?? (await insertGroup(tx, anonymousGroup(tx.realm)));
  await insertMembers(tx, id, value.direct_members);
  await insertSubgroups(tx, id, value.direct_subgroups);
  return id;
}

/** Stores values of new settings and returns the groups that stand for them, in the order given; few statements for many. */
export async function storeNewValues(
  tx: RealmRefWriteTx,
  values: readonly GroupSettingValue[],
): Promise<readonly GroupId[]> {
  const composed = values.filter((value) => typeof value !== 'number');
  const ids = await insertAlike(tx, anonymousGroup(tx.realm), composed.length);
  const content = inTurn(composed);
  const made = ids.map((id) => ({ id, ...content() }));
  await insertMembersOfEach(
    tx,
    made.map((group) => [group.id, group.direct_members]),
  );
  await insertSubgroupsOfEach(
    tx,
    made.map((group) => [group.id, group.direct_subgroups]),
  );
  const id = inTurn(ids);
  return values.map((value) => (typeof value === 'number' ? value : id()));
}
