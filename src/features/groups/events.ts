import { event, everyoneInRealm } from '#kernel/events';
import type { GroupId, UserId } from '#kernel/ids';
import { groupSettingValue } from '#kernel/permissions';
import { bool, idOf, list, maybe, object, str } from '#kernel/schema';
import { GROUP_SETTINGS } from './settings.ts';
import { wireGroup } from './wire.ts';

/** People joined a group, or got a role whose group lists them. See protocol/events#user_group. */
export const groupMembersAdded = event({
  type: 'user_group',
  op: 'add_members',
  source: 'protocol/events#user_group',
  payload: { group_id: idOf<GroupId>(), user_ids: list(idOf<UserId>()) },
  changesRights: () => true,
});

/** People left a group, or the role whose group listed them. See protocol/events#user_group. */
export const groupMembersRemoved = event({
  type: 'user_group',
  op: 'remove_members',
  source: 'protocol/events#user_group',
  payload: { group_id: idOf<GroupId>(), user_ids: list(idOf<UserId>()) },
  changesRights: () => true,
  audience: () => everyoneInRealm,
});

/** Groups were put into a group. See protocol/events#user_group. */
export const subgroupsAdded = event({
  type: 'user_group',
  op: 'add_subgroups',
  source: 'protocol/events#user_group',
  payload: { group_id: idOf<GroupId>(), direct_subgroup_ids: list(idOf<GroupId>()) },
  changesRights: () => true,
  audience: () => everyoneInRealm,
});

/** Groups were taken out of a group. See protocol/events#user_group. */
export const subgroupsRemoved = event({
  type: 'user_group',
  op: 'remove_subgroups',
  source: 'protocol/events#user_group',
  payload: { group_id: idOf<GroupId>(), direct_subgroup_ids: list(idOf<GroupId>()) },
  changesRights: () => true,
  audience: () => everyoneInRealm,
});

/**
 * A group was made; or came back, which is news only to clients that dropped it.
 * See protocol/events#what-a-queue-takes, protocol/events#user_group.
 */
export const groupAdded = event({
  type: 'user_group',
  op: 'add',
  source: 'protocol/events#user_group',
  payload: { group: wireGroup, reactivated: bool() },
  forms: [{ group: wireGroup }],
  audience: () => everyoneInRealm,
  audit: ({ group, reactivated }) =>
    reactivated
      ? undefined
      : { action: 'group.added', target: { kind: 'group', id: group.id, name: group.name }, after: group },
  variesBy: ['include_deactivated_groups'],
  wire: ({ group, reactivated }, { include_deactivated_groups }) =>
    reactivated && include_deactivated_groups ? [] : [{ group }],
});

/**
 * A group was deactivated, for clients that do not keep such groups. See protocol/events#what-a-queue-takes,
 * protocol/events#user_group.
 */
export const groupRemoved = event({
  type: 'user_group',
  op: 'remove',
  source: 'protocol/events#user_group',
  payload: { group_id: idOf<GroupId>() },
  audience: () => everyoneInRealm,
  variesBy: ['include_deactivated_groups'],
  wire: (payload, { include_deactivated_groups }) => (include_deactivated_groups ? [] : [payload]),
});

const data = object({
  name: maybe(str()),
  description: maybe(str()),
  can_add_members_group: maybe(groupSettingValue),
  can_join_group: maybe(groupSettingValue),
  can_leave_group: maybe(groupSettingValue),
  can_manage_group: maybe(groupSettingValue),
  can_mention_group: maybe(groupSettingValue),
  can_remove_members_group: maybe(groupSettingValue),
  deactivated: maybe(bool()),
});

/**
 * Something about a group changed; `data` has what did. See protocol/events#what-a-queue-takes,
 * protocol/events#user_group.
 */
export const groupUpdated = event({
  type: 'user_group',
  op: 'update',
  source: 'protocol/events#user_group',
  payload: {
    group_id: idOf<GroupId>(),
    data,
    /** Whether clients that do not keep deactivated groups have it no more. */
    hidden: bool(),
  },
  forms: [{ group_id: idOf<GroupId>(), data }],
  audience: () => everyoneInRealm,
  changesRights: ({ data: changed }) => GROUP_SETTINGS.some(({ name }) => changed[name] !== undefined),
  audit: ({ group_id: id, data }, before) => ({
    action: 'group.changed',
    target: { kind: 'group', id },
    before,
    after: data,
  }),
  variesBy: ['include_deactivated_groups'],
  wire: ({ group_id, data, hidden }, { include_deactivated_groups }) =>
    hidden && !include_deactivated_groups ? [] : [{ group_id, data }],
});

export const groupEvents = [
  groupMembersAdded,
  groupMembersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
  groupAdded,
  groupRemoved,
  groupUpdated,
];
