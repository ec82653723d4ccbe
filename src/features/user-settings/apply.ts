/** What a client keeps of settings. */
export interface SettingsState {
  readonly user_settings: Readonly<Record<string, unknown>>;
  readonly realm_user_settings_defaults: Readonly<Record<string, unknown>>;
}

interface SettingEvent {
  readonly type: 'user_settings' | 'realm_user_settings_defaults';
  readonly property: string;
  readonly value: unknown;
}

/** How an event about one setting changes what a client keeps. */
export function applySettingEvent(state: SettingsState, event: SettingEvent): SettingsState {
  return { ...state, [event.type]: { ...state[event.type], [event.property]: event.value } };
}
