import { applier, slice } from '#kernel/slice';
import { applySettingEvent } from './apply.ts';
import { settingEndpoints } from './endpoints.ts';
import { exportConsentChanged, realmDefaultChanged, userSettingChanged } from './events.ts';
import { settingsStates } from './state.ts';
import { editedSetting, realmUserDefault } from './tables.ts';

export const userSettingsSlice = slice({
  name: 'user-settings',
  tables: [realmUserDefault, editedSetting],
  endpoints: settingEndpoints,
  events: [userSettingChanged, realmDefaultChanged, exportConsentChanged],
  state: settingsStates,
  applies: [
    applier(
      ['user_settings', 'realm_user_settings_defaults'],
      ['user_settings', 'realm_user_settings_defaults'],
      applySettingEvent,
    ),
  ],
});

export { announceConsent, changeSettings, settingsChanged, updateSettings } from './actions.ts';
export { NotForOthers, SETTING_ERRORS } from './errors.ts';
export { type TargetUsers, updateSettingsOfOthers } from './others.ts';
export { assertValid, isLanguage } from './rules.ts';
export { USER_SETTINGS, type UserSettings } from './settings.ts';
export { type SentSettings, settingsOf, settingsOfNewUser, settingsOfUsers } from './values.ts';
