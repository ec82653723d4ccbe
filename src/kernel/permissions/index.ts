export { groupSettingValue, type GroupSettingValue, groupSettingChange } from './group-setting-value.ts';
export { groupSetting, type GroupSetting, type SettingScope } from './group-setting.ts';
export {
  isAdministrator,
  isGuest,
  isModerator,
  isOwner,
  ROLES,
  Role,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupsOfRole,
} from './roles.ts';
