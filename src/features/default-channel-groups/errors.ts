import { apiError } from '#kernel/errors';

export const DefaultGroupMissing = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Default channel group with id '${e.id}' does not exist.`,
});
export const InvalidDefaultGroupName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid default channel group name '${e.name}'`,
});
export const DefaultGroupNameTooLong = apiError({
  message: 'Default channel group name too long (limit: 60 characters).',
});
export const DefaultGroupNameTaken = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Default channel group '${e.name}' already exists`,
});
export const NothingToChange = apiError({ message: 'You must pass "new_description" or "new_group_name".' });
export const InvalidOperation = apiError({
  message: 'Invalid value for "op". Specify one of "add" or "remove".',
});
export const IsDefaultChannel = apiError<Record<never, never>, { channel: string; group: string }>({
  message: (e) => `'${e.channel}' is a default channel and cannot be added to '${e.group}'`,
});
export const AlreadyInGroup = apiError<Record<never, never>, { channel: string; group: string }>({
  message: (e) => `Channel '${e.channel}' is already present in default channel group '${e.group}'`,
});
export const NotInGroup = apiError<Record<never, never>, { channel: string; group: string }>({
  message: (e) => `Channel '${e.channel}' is not present in default channel group '${e.group}'`,
});
