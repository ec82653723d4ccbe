export {
  groupSetting,
  type GroupSetting,
  groupSettingChange,
  groupSettingValue,
  newGroupSettingValue,
  type GroupSettingValue,
  type SettingScope,
} from './group-setting.ts';
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
