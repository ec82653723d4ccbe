import type { GroupId, UserId } from '#kernel/ids';
import { groupSettingValue } from '#kernel/permissions';
import { bool, idOf, int, list, nullable, object, type SchemaOf, str } from '#kernel/schema';

export { CHANNEL_SETTING_NAMES } from './channel-settings.ts';

/** A user group as clients see it. See protocol/groups#group-object. */
export const wireGroup = object({
  id: idOf<GroupId>(),
  name: str(),
  description: str(),
  date_created: nullable(int()),
  creator_id: nullable(idOf<UserId>()),
  members: list(idOf<UserId>()),
  direct_subgroup_ids: list(idOf<GroupId>()),
  is_system_group: bool(),
  can_add_members_group: groupSettingValue,
  can_join_group: groupSettingValue,
  can_leave_group: groupSettingValue,
  can_manage_group: groupSettingValue,
  can_mention_group: groupSettingValue,
  can_remove_members_group: groupSettingValue,
  deactivated: bool(),
}).meta({ id: 'UserGroup' });
export type WireGroup = SchemaOf<typeof wireGroup>;
