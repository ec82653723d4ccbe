/** A client's state about settings. */
export interface SettingsState {
  readonly user_settings: Readonly<Record<string, unknown>>;
  readonly realm_user_settings_defaults: Readonly<Record<string, unknown>>;
}

interface SettingEvent {
  readonly type: 'user_settings' | 'realm_user_settings_defaults';
  readonly property: string;
  readonly value: unknown;
}

/** The state after an event about one setting. */
export function applySettingEvent(state: SettingsState, event: SettingEvent): SettingsState {
  return { ...state, [event.type]: { ...state[event.type], [event.property]: event.value } };
}
