import { findUser, NoSuchUser } from '#features/users';
import { endpoint, humanMembers, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { type GroupId, recordOf, type UserId } from '#kernel/ids';
import { groupSettingChange, newGroupSettingValue } from '#kernel/permissions';
import { bool, idOf, list, text } from '#kernel/schema';
import { accessGroup } from './access.ts';
import * as errors from './errors.ts';
import { listWireGroups } from './listing.ts';
import { changeMembership } from './members.ts';
import { membersOf } from './membership.ts';
import { groupsBelow } from './nesting/queries.ts';
import { GROUP_SETTINGS } from './settings.ts';
import { addGroup, deactivateGroup, updateGroup } from './update.ts';
import { wireGroup } from './wire.ts';

/** Most people or groups one call may name. */
const MAX_NAMED = 50_000;
/** Longest description, in code points, as of channels. */
const MAX_DESCRIPTION = 1024;

const people = list(idOf<UserId>(), { max: MAX_NAMED });
const groupIds = list(idOf<GroupId>(), { max: MAX_NAMED });
const id = path(idOf<GroupId>());
const names = GROUP_SETTINGS.map((setting) => setting.name);
const flag = withDefault(json(bool()), false);

const CHANGE_ERRORS = [
  ...errors.GROUP_VALUE_ERRORS,
  ...errors.GROUP_NAME_ERRORS,
  errors.NoNewData,
  errors.OnlyNameOfDeactivated,
  errors.GroupNeedsAnother,
];

const listGroups = endpoint({
  id: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  source: 'protocol/groups#operations',
  doc: 'The user groups of the organization, system groups included.',
  who: humanMembers,
  mayBeLarge: true,
  params: { include_deactivated_groups: flag },
  returns: { user_groups: list(wireGroup) },
  run: ({ realm, params, context }) =>
    context.store.in(realm).read(async (tx) => {
      const groups = await listWireGroups(tx);
      return { user_groups: groups.filter((group) => params.include_deactivated_groups || !group.deactivated) };
    }),
});

const createGroup = endpoint({
  id: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  source: 'protocol/groups#operations',
  doc: 'Makes a user group.',
  who: humanMembers,
  params: {
    name: raw(text({ line: true, trim: true })),
    description: raw(text({ max: MAX_DESCRIPTION })),
    members: json(people),
    subgroups: withDefault(json(groupIds), []),
    ...recordOf(names, () => optional(json(newGroupSettingValue))),
  },
  returns: { group_id: idOf<GroupId>() },
  fails: [...CHANGE_ERRORS, errors.TooManyGroups, errors.TooManyMembers, errors.OnlyAdministratorsAddMore],
  run: async ({ actor, params, context }) => ({ group_id: await addGroup(context, actor, params) }),
});

const updateGroupEndpoint = endpoint({
  id: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  source: 'protocol/groups#operations',
  doc: 'Changes a user group, or brings a deactivated one back.',
  who: humanMembers,
  params: {
    user_group_id: id,
    name: optional(raw(text({ line: true, trim: true }))),
    description: optional(raw(text({ max: MAX_DESCRIPTION }))),
    ...recordOf(names, () => optional(json(groupSettingChange))),
    deactivated: optional(json(bool(), 'Only false has an effect.')),
  },
  returns: {},
  fails: [...CHANGE_ERRORS, errors.TooManyGroups],
  async run({ actor, params, context }) {
    const { user_group_id, ...change } = params;
    await updateGroup(context, actor, user_group_id, change);
    return {};
  },
});

const MEMBER_ERRORS = [
  ...errors.GROUP_VALUE_ERRORS,
  errors.NoMembershipChange,
  errors.NoSubgroupChange,
  errors.AlreadyMember,
  errors.NotMember,
  errors.AlreadySubgroup,
  errors.SubgroupCycle,
  errors.NotSubgroup,
  errors.TooManyMembers,
  errors.OnlyAdministratorsAddMore,
];

const updateMembers = endpoint({
  id: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  source: 'protocol/groups#operations',
  doc: 'Adds people and groups to a user group and removes others, in one transaction.',
  who: humanMembers,
  params: {
    user_group_id: id,
    add: withDefault(json(people), []),
    delete: withDefault(json(people), []),
    add_subgroups: withDefault(json(groupIds), []),
    delete_subgroups: withDefault(json(groupIds), []),
  },
  returns: {},
  fails: MEMBER_ERRORS,
  async run({ actor, params, context }) {
    const { user_group_id, ...change } = params;
    if (Object.values(change).every((ids) => ids.length === 0)) throw errors.NoMembershipChange();
    await changeMembership(context, actor, user_group_id, change);
    return {};
  },
});

const updateSubgroups = endpoint({
  id: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  source: 'protocol/groups#operations',
  doc: 'Adds groups to a user group and removes others.',
  who: humanMembers,
  params: {
    user_group_id: id,
    add: withDefault(json(groupIds), []),
    delete: withDefault(json(groupIds), []),
  },
  returns: {},
  fails: MEMBER_ERRORS,
  async run({ actor, params, context }) {
    if (params.add.length === 0 && params.delete.length === 0) throw errors.NoSubgroupChange();
    const change = { add: [], delete: [], add_subgroups: params.add, delete_subgroups: params.delete };
    await changeMembership(context, actor, params.user_group_id, change);
    return {};
  },
});

const getMembers = endpoint({
  id: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  source: 'protocol/groups#operations',
  doc: 'The members of a user group.',
  who: humanMembers,
  mayBeLarge: true,
  params: { user_group_id: id, direct_member_only: flag },
  returns: { members: list(idOf<UserId>()) },
  fails: [errors.InvalidUserGroup],
  run: ({ realm, params, context }) =>
    context.store.in(realm).read(async (tx) => {
      const group = await accessGroup(tx, params.user_group_id);
      if (!params.direct_member_only) return { members: [...(await membersOf(tx, [group.id]))] };
      const shown = (await listWireGroups(tx)).find((candidate) => candidate.id === group.id);
      return { members: shown?.members ?? [] };
    }),
});

const getSubgroups = endpoint({
  id: 'get-user-group-subgroups',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  source: 'protocol/groups#operations',
  doc: 'The groups inside a user group.',
  who: humanMembers,
  mayBeLarge: true,
  params: { user_group_id: id, direct_subgroup_only: flag },
  returns: { subgroups: list(idOf<GroupId>()) },
  fails: [errors.InvalidUserGroup],
  run: ({ realm, params, context }) =>
    context.store.in(realm).read(async (tx) => {
      const group = await accessGroup(tx, params.user_group_id);
      const shown = (await listWireGroups(tx)).find((candidate) => candidate.id === group.id);
      if (params.direct_subgroup_only) return { subgroups: shown?.direct_subgroup_ids ?? [] };
      const below = await groupsBelow(tx, [group.id]);
      return { subgroups: below.filter((other) => other !== group.id).toSorted((a, b) => a - b) };
    }),
});

const isMember = endpoint({
  id: 'get-is-user-group-member',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  source: 'protocol/groups#operations',
  doc: 'Whether a user is in a user group.',
  who: humanMembers,
  mayBeLarge: true,
  params: { user_group_id: id, user_id: path(idOf<UserId>()), direct_member_only: flag },
  returns: { is_user_group_member: bool() },
  fails: [errors.InvalidUserGroup, NoSuchUser],
  run: ({ realm, params, context }) =>
    context.store.in(realm).read(async (tx) => {
      const group = await accessGroup(tx, params.user_group_id);
      const user = await findUser(tx, params.user_id);
      if (!user || user.is_system_bot) throw NoSuchUser();
      const shown = (await listWireGroups(tx)).find((candidate) => candidate.id === group.id);
      const all = params.direct_member_only ? (shown?.members ?? []) : await membersOf(tx, [group.id]);
      return { is_user_group_member: all.includes(user.id) };
    }),
});

const deactivate = endpoint({
  id: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  source: 'protocol/groups#operations',
  since: 290,
  doc: 'Deactivates a user group, unless a permission, a channel or another group uses it.',
  who: humanMembers,
  params: { user_group_id: id },
  returns: {},
  fails: [errors.InvalidUserGroup, errors.UserGroupDeactivated, errors.GroupInUse],
  async run({ actor, params, context }) {
    await deactivateGroup(context, actor, params.user_group_id);
    return {};
  },
});

export const groupEndpoints = [
  listGroups,
  createGroup,
  updateGroupEndpoint,
  updateMembers,
  updateSubgroups,
  getMembers,
  getSubgroups,
  isMember,
  deactivate,
];
