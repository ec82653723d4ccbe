import { apiError } from '#kernel/errors';

/** Most groups in use, and most that somebody who is no administrator makes in a day: everybody who registers gets all of them. */
export const MAX_GROUPS = 50_000;
export const MAX_GROUPS_A_DAY = 2000;
export const TooManyGroups = apiError({
  message: `There can be at most ${MAX_GROUPS} groups, and people who are no administrators can create ${MAX_GROUPS_A_DAY} a day.`,
});
/** All groups together may have so many members and subgroups for each active account, and in any case the second. */
export const MEMBERS_PER_ACCOUNT = 20;
export const MIN_MEMBERS_IN_ALL = 100_000;
export const TooManyMembers = apiError<Record<never, never>, { max: number }>({
  message: (e) => `Groups can have at most ${e.max} members and subgroups in all.`,
});
/** Part of these that people who are no administrators can fill, so that nobody keeps administrators from their work. */
export const SHARE_OF_OTHERS = 0.5;
export const OnlyAdministratorsAddMore = apiError<Record<never, never>, { max: number }>({
  message: (e) => `Only administrators can add to groups that have ${e.max} members and subgroups in all.`,
});
export const InvalidUserGroup = apiError({ message: 'Invalid user group' });
export const UserGroupDeactivated = apiError({ message: 'User group is deactivated.' });
export const SystemGroupRequired = apiError({
  code: 'SYSTEM_GROUP_REQUIRED',
  extra: { setting_name: 'string' },
  message: (e) => `'${e.setting_name}' must be a system user group.`,
});
export const GroupNotAllowed = apiError<Record<never, never>, { setting: string; group: string }>({
  message: (e) => `'${e.setting}' setting cannot be set to '${e.group}' group.`,
});
export const InvalidUserId = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Invalid user ID: ${e.id}`,
});
export const InvalidGroupId = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Invalid user group ID: ${e.id}`,
});
/** The client expected another current value. See protocol/permissions#value-checks. */
export const ExpectationMismatch = apiError({
  code: 'EXPECTATION_MISMATCH',
  extra: { field_name: 'string' },
  message: (e) => `'${e.field_name}' value does not match the expected value.`,
});

/** Everything that checking a group-setting value may throw. */
export const GROUP_VALUE_ERRORS = [
  InvalidUserGroup,
  UserGroupDeactivated,
  SystemGroupRequired,
  GroupNotAllowed,
  InvalidUserId,
  InvalidGroupId,
  ExpectationMismatch,
];

export const GroupNameBlank = apiError({ message: "User group name can't be empty!" });
export const GroupNameTooLong = apiError({ message: 'User group name cannot exceed 100 characters.' });
export const GroupNamePrefix = apiError<Record<never, never>, { prefix: string }>({
  message: (e) => `User group name cannot start with '${e.prefix}'.`,
});
export const GroupNameTaken = apiError<Record<never, never>, { name: string }>({
  message: (e) => `User group '${e.name}' already exists.`,
});
export const NoNewData = apiError({ message: 'No new data supplied' });
export const OnlyNameOfDeactivated = apiError({ message: 'You can only change name of deactivated user groups' });
/** A group that is to come back holds or names another one that is not in use. */
export const GroupNeedsAnother = apiError<Record<never, never>, { name: string }>({
  message: (e) => `This group uses the deactivated user group '${e.name}'. Reactivate that one first.`,
});
export const NoMembershipChange = apiError({
  message: 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
});
export const NoSubgroupChange = apiError({ message: 'Nothing to do. Specify at least one of "add" or "delete".' });
export const AlreadyMember = apiError<Record<never, never>, { id: number }>({
  message: (e) => `User ${e.id} is already a member of this group`,
});
export const NotMember = apiError<Record<never, never>, { id: number }>({
  message: (e) => `There is no member '${e.id}' in this user group`,
});
export const AlreadySubgroup = apiError<Record<never, never>, { id: number }>({
  message: (e) => `User group ${e.id} is already a subgroup of this group.`,
});
export const SubgroupCycle = apiError<Record<never, never>, { id: number }>({
  message: (e) => `User group ${e.id} is already a subgroup of one of the passed subgroups.`,
});
export const NotSubgroup = apiError<Record<never, never>, { id: number }>({
  message: (e) => `User group ${e.id} is not a subgroup of this group.`,
});
/** Something still depends on the group. See protocol/groups#operations. */
export const GroupInUse = apiError({
  code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
  extra: { objections: 'objects' },
  message: () => 'Cannot deactivate user group in use.',
});
/** Names a group cannot have. */
export const GROUP_NAME_ERRORS = [GroupNameBlank, GroupNameTooLong, GroupNamePrefix, GroupNameTaken];
