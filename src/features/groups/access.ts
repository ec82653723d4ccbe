import {
  readRealm,
  realmGroupSetting,
  type RealmGroupSettingName,
  type RealmSettings,
  settingsOf,
} from '#features/realms';
import type { Actor, ActorReadTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import type { GroupId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { InvalidUserGroup } from './errors.ts';
import { type ChannelSettingName, channelSetting } from './channel-settings.ts';
import { groupsOf, holds, holdsAmong } from './membership.ts';
import { findGroups } from './queries.ts';
import { userGroupSetting } from './settings.ts';
import type { GroupRow } from './tables.ts';

/** What a caller may do with one group. */
export interface GroupRights {
  readonly group: GroupRow;
  readonly mayManage: boolean;
  /** Whether the caller holds one of the group's own permissions. */
  readonly holds: (name: Parameters<typeof userGroupSetting>[0]) => boolean;
}

/** Returns a group that clients may know of, deactivated ones included. */
export async function accessGroup(tx: RealmReadTx, id: GroupId): Promise<GroupRow> {
  const group = (await findGroups(tx, [id])).get(id);
  if (!group || group.group_kind === 'anonymous') throw InvalidUserGroup();
  return group;
}

/** A named group with the caller's rights; system groups are nobody's to change. See protocol/groups#operations. */
export async function accessToChange(tx: ActorReadTx, id: GroupId): Promise<GroupRights> {
  const { actor } = tx;
  const group = await accessGroup(tx, id);
  if (group.group_kind === 'system') throw InsufficientPermission();
  const groups = await groupsOf(tx, actor);
  const row = await readRealm(tx);
  const holdsOfGroup: GroupRights['holds'] = (name) => holdsAmong(groups, actor, userGroupSetting(name), group[name]);
  const managesAll = holdsAmong(groups, actor, realmGroupSetting('can_manage_all_groups'), row.can_manage_all_groups);
  return { group, mayManage: managesAll || holdsOfGroup('can_manage_group'), holds: holdsOfGroup };
}

/** Whether the actor holds a permission of the organization. */
export async function holdsInRealm(tx: ActorReadTx, name: RealmGroupSettingName): Promise<boolean> {
  return holds(tx, tx.actor, realmGroupSetting(name), (await readRealm(tx))[name]);
}

/** Whether the actor holds a permission of a channel. */
export function holdsInChannel<N extends ChannelSettingName>(
  tx: ActorReadTx,
  channel: Readonly<Record<N, GroupId>>,
  name: N,
): Promise<boolean> {
  return holds(tx, tx.actor, channelSetting(name), channel[name]);
}

/** Somebody's groups and rights in the organization, read once for a whole command. */
export interface Rights {
  readonly actor: Actor;
  readonly groups: ReadonlySet<GroupId>;
  readonly settings: RealmSettings;
  readonly holds: (name: RealmGroupSettingName) => boolean;
}

export async function readRights(tx: ActorReadTx): Promise<Rights> {
  const { actor } = tx;
  const row = await readRealm(tx);
  const groups = await groupsOf(tx, actor);
  const holdsOfRealm: Rights['holds'] = (name) => holdsAmong(groups, actor, realmGroupSetting(name), row[name]);
  return { actor, groups, settings: settingsOf(row), holds: holdsOfRealm };
}
