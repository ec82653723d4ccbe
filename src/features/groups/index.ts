import { applier, slice } from '#kernel/slice';
import { applyGroupEvent } from './apply.ts';
import { groupEndpoints } from './endpoints.ts';
import { groupEvents } from './events.ts';
import { announceRegularly } from './promotion.ts';
import { GROUP_SETTINGS } from './settings.ts';
import { groupsState, ownPermissionsState } from './state.ts';
import { fullMemberClock, userGroup, userGroupMember, userGroupSubgroup } from './tables.ts';

export const groups = slice({
  name: 'groups',
  tables: [userGroup, userGroupMember, userGroupSubgroup, fullMemberClock],
  reads: ['channel', 'user'],
  endpoints: groupEndpoints,
  events: groupEvents,
  state: [groupsState, ownPermissionsState],
  applies: [applier(['user_group', 'realm_user'], ['realm_user_groups'], applyGroupEvent)],
  settings: GROUP_SETTINGS,
  background: announceRegularly,
});

export {
  CHANNEL_SETTING_NAMES,
  CHANNEL_SETTINGS,
  channelSetting,
  type ChannelSettingName,
  OPENING_METADATA,
} from './channel-settings.ts';
export {
  groupsOf,
  holds,
  holdsAmong,
  isSystemGroup,
  membershipChanging,
  membersOf,
  nonGuestsOfEach,
  type Person,
  systemGroupName,
} from './membership.ts';
export { ExpectationMismatch, GROUP_VALUE_ERRORS, InvalidUserGroup, InvalidUserId } from './errors.ts';
export {
  addToGroups,
  announceFullMembers,
  announceLeaving,
  announceReturn,
  announceRoleChange,
  announceRoleGroups,
} from './join.ts';
export { changeMembership, changeMembershipWithin, membersChanged } from './members.ts';
export { groupsHolding } from './nesting/queries.ts';
export { announcePromotions } from './promotion.ts';
export { findGroupByName, findGroups, listGroups, listNamedGroupsAfter } from './queries.ts';
export { directMembers } from './members/queries.ts';
export { holdsInChannel, holdsInRealm, readRights, type Rights } from './access.ts';
export { normalise } from './rules.ts';
export { GROUP_SETTINGS, userGroupSetting } from './settings.ts';
export { insertSystemGroups } from './system-groups.ts';
export { assertAllowed, type Change, changedValue, readValues, storeNewValues, storeValue } from './values.ts';
export { addGroupWithin, deactivateGroupWithin, updateGroupWithin } from './update.ts';
export type { GroupRow } from './tables.ts';
