import { findUsers } from '#features/users';
import type { Actor, ActorReadTx, ActorWriteTx, RealmRefWriteTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import { type GroupId, recordOf, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { GroupSetting, GroupSettingValue } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { accessToChange, holdsInRealm } from './access.ts';
import {
  GroupInUse,
  GroupNameTaken,
  InvalidGroupId,
  InvalidUserId,
  NoNewData,
  OnlyNameOfDeactivated,
  UserGroupDeactivated,
} from './errors.ts';
import { groupAdded, groupRemoved, groupUpdated } from './events.ts';
import { listWireGroups } from './listing.ts';
import { insertMembers, insertSubgroups } from './members/queries.ts';
import { assertRoomForGroup, assertRoomForMembers } from './room.ts';
import { assertGroupName, normalise } from './rules.ts';
import { assertOthersInUse, findObjections } from './objections.ts';
import { findGroupByName, findGroups, insertGroup, setGroup } from './queries.ts';
import { GROUP_SETTINGS, type GroupSettingName } from './settings.ts';
import type { GroupRow } from './tables.ts';
import { assertAllowed, type Change, changedValue, readValues, storeValue } from './values.ts';

/** A group to be made. See protocol/groups#operations. */
export type NewGroupInput = {
  readonly name: string;
  readonly description: string;
  readonly members: readonly UserId[];
  readonly subgroups: readonly GroupId[];
} & { readonly [K in GroupSettingName]: GroupSettingValue | undefined };

/** Makes a group; the actor may manage it unless the request says otherwise. See protocol/groups#operations. */
export async function addGroup(context: Context, actor: Actor, input: NewGroupInput): Promise<GroupId> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    return addGroupWithin(tx, input);
  });
}

/** The same inside a transaction that holds the log's lock. */
export async function addGroupWithin(tx: ActorWriteTx, input: NewGroupInput): Promise<GroupId> {
  if (!(await holdsInRealm(tx, 'can_create_groups'))) throw InsufficientPermission();
  await assertNameFree(tx, input.name);
  await assertRoomForGroup(tx, { isNew: true });
  await assertRoomForMembers(tx, input.members.length + input.subgroups.length);
  await assertMembers(tx, input.members);
  await assertSubgroups(tx, input.subgroups);
  const settings = new Map<GroupSettingName, GroupId>();
  for (const setting of GROUP_SETTINGS) {
    const value = await initialValue(tx, setting, input[setting.name]);
    settings.set(setting.name, await storeValue(tx, value));
  }
  const id = await insertGroup(tx, {
    ...recordOf([...settings.keys()], (name) => settings.get(name) ?? tx.realm.groups['role:nobody']),
    realm_id: tx.realmId,
    group_kind: 'named',
    name: input.name,
    name_key: foldCase(input.name),
    description: input.description,
    creator_id: tx.actor.userId,
  });
  await insertMembers(tx, id, input.members);
  await insertSubgroups(tx, id, input.subgroups);
  await announceGroup(tx, id, false);
  return id;
}

async function initialValue(
  tx: ActorReadTx,
  setting: GroupSetting,
  sent: GroupSettingValue | undefined,
): Promise<GroupSettingValue> {
  if (sent !== undefined) {
    const value = normalise(sent, tx.realm);
    await assertAllowed(tx, setting, value);
    return value;
  }
  if (setting.default === 'group_creator') return { direct_members: [tx.actor.userId], direct_subgroups: [] };
  return tx.realm.groups[setting.default === 'channel_creator' ? 'role:nobody' : setting.default];
}

async function assertNameFree(tx: RealmReadTx, name: string, self?: GroupId): Promise<void> {
  assertGroupName(name);
  const other = await findGroupByName(tx, name);
  if (other && other.id !== self) throw GroupNameTaken({ name });
}

/** Throws unless all are active accounts. */
export async function assertMembers(tx: RealmReadTx, ids: readonly UserId[]): Promise<void> {
  const users = await findUsers(tx, ids);
  for (const id of ids) {
    const user = users.get(id);
    if (!user?.is_active || user.is_system_bot) throw InvalidUserId({ id });
  }
}

/** Throws unless all are groups in use. */
export async function assertSubgroups(tx: RealmReadTx, ids: readonly GroupId[]): Promise<void> {
  const groups = await findGroups(tx, ids);
  for (const id of ids) {
    const group = groups.get(id);
    if (!group || group.group_kind === 'anonymous') throw InvalidGroupId({ id });
    if (group.deactivated) throw UserGroupDeactivated();
  }
}

/** A change of a group; what is undefined stays. See protocol/groups#operations. */
export type GroupChange = {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly deactivated: boolean | undefined;
} & { readonly [K in GroupSettingName]: Change | undefined };

/** Changes a group's name, description or permissions, or brings it back. See protocol/groups#operations. */
export async function updateGroup(context: Context, actor: Actor, id: GroupId, change: GroupChange): Promise<void> {
  if (Object.values({ ...change }).every((value) => value === undefined)) throw NoNewData();
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await updateGroupWithin(tx, id, change);
  });
}

/** The same inside a transaction that holds the log's lock. */
export async function updateGroupWithin(tx: ActorWriteTx, id: GroupId, change: GroupChange): Promise<void> {
  const { group, mayManage } = await accessToChange(tx, id);
  if (!mayManage) throw InsufficientPermission();
  const returns = group.deactivated && change.deactivated === false;
  if (group.deactivated && !returns && !renamesOnly(change)) throw OnlyNameOfDeactivated();
  const { name, description } = change;
  const isRenamed = name !== undefined && name !== group.name;
  if (isRenamed) await assertNameFree(tx, name, id);
  if (returns) await assertRoomForGroup(tx, { isNew: false });
  const texts = {
    ...(isRenamed && { name }),
    ...(description !== undefined && description !== group.description && { description }),
  };
  const { values, columns, former } = await storeSettings(tx, group, change);
  const patch = { ...texts, ...columns, ...(isRenamed && { name_key: foldCase(name) }) };
  if (Object.keys(patch).length > 0) await setGroup(tx, id, patch);
  if (returns) await bringBack(tx, id);
  const data = { ...texts, ...values };
  const hidden = group.deactivated && !returns;
  if (Object.keys(data).length > 0)
    tx.emit(groupUpdated({ group_id: id, data, hidden }, { before: { ...former, ...textsOf(group, texts) } }));
}

/** What the texts that changed were before. */
function textsOf(group: GroupRow, changed: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(group).filter(([name]) => name in changed));
}

function renamesOnly({ name, ...rest }: GroupChange): boolean {
  return name !== undefined && Object.values(rest).every((value) => value === undefined);
}

async function storeSettings(tx: RealmRefWriteTx, group: GroupRow, change: GroupChange) {
  let values: Partial<Record<GroupSettingName, GroupSettingValue>> = {};
  let columns: Partial<Record<GroupSettingName, GroupId>> = {};
  const sentNames = GROUP_SETTINGS.map(({ name }) => name).filter((name) => change[name] !== undefined);
  const known = await readValues(
    tx,
    sentNames.map((name) => group[name]),
  );
  let former: Partial<Record<GroupSettingName, GroupSettingValue>> = {};
  for (const setting of GROUP_SETTINGS) {
    const { name } = setting;
    const sent = change[name];
    const value = sent && (await changedValue(tx, group[name], sent));
    if (value === undefined) continue;
    await assertAllowed(tx, setting, value);
    values = { ...values, [name]: value };
    former = { ...former, [name]: known.get(group[name]) ?? group[name] };
    columns = { ...columns, [name]: await storeValue(tx, value, group[name]) };
  }
  return { values, columns, former };
}

async function bringBack(tx: RealmRefWriteTx, id: GroupId): Promise<void> {
  await assertOthersInUse(tx, id);
  await setGroup(tx, id, { deactivated: false });
  tx.emit(groupUpdated({ group_id: id, data: { deactivated: false }, hidden: true }));
  await announceGroup(tx, id, true);
}

async function announceGroup(tx: RealmRefWriteTx, id: GroupId, reactivated: boolean): Promise<void> {
  const group = (await listWireGroups(tx)).find((candidate) => candidate.id === id);
  if (group) tx.emit(groupAdded({ group, reactivated }));
}

/** Takes a group out of use, unless something depends on it. See protocol/groups#operations. */
export async function deactivateGroup(context: Context, actor: Actor, id: GroupId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await deactivateGroupWithin(tx, id);
  });
}

/** The same inside a transaction that holds the log's lock. */
export async function deactivateGroupWithin(tx: ActorWriteTx, id: GroupId): Promise<void> {
  const { group, mayManage } = await accessToChange(tx, id);
  if (!mayManage) throw InsufficientPermission();
  if (group.deactivated) throw UserGroupDeactivated();
  const objections = await findObjections(tx, id);
  if (objections.length > 0) throw GroupInUse({ objections });
  await setGroup(tx, id, { deactivated: true });
  tx.emit(groupUpdated({ group_id: id, data: { deactivated: true }, hidden: true }));
  tx.emit(groupRemoved({ group_id: id }));
}
