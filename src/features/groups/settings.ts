import { type GroupSetting, groupSetting } from '#kernel/permissions';

const SOURCE = 'protocol/groups#group-object, protocol/permissions#kinds';

const setting = <const N extends string>(name: N, byDefault: GroupSetting['default'], everyone: boolean) =>
  groupSetting({ name, on: 'group', default: byDefault, everyone, nobody: true, source: SOURCE });

/** A user group's own permissions. */
export const GROUP_SETTINGS = [
  setting('can_add_members_group', 'group_creator', false),
  setting('can_join_group', 'role:nobody', false),
  setting('can_leave_group', 'role:everyone', true),
  setting('can_manage_group', 'group_creator', false),
  setting('can_mention_group', 'role:everyone', true),
  setting('can_remove_members_group', 'role:nobody', false),
] as const;

/** Name of a permission of a user group. */
export type GroupSettingName = (typeof GROUP_SETTINGS)[number]['name'];

/** The declaration of one permission. */
export function userGroupSetting(name: GroupSettingName): GroupSetting {
  const found = GROUP_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no group setting ${name}`);
  return found;
}
