import { dict, json } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { readRealm, settingsOf as realmSettingsOf } from '#features/realms';
import { findUser } from '#features/users';
import { legacySettingsStates } from './legacy-state.ts';
import { EMOJISETS, NOTIFICATION_SOUNDS, USER_SETTING_DEFAULTS } from './settings.ts';
import { realmDefaults, settingsOf } from './values.ts';

const CHOICES = { available_notification_sounds: NOTIFICATION_SOUNDS, emojiset_choices: EMOJISETS };

/**
 * The caller's own settings; a spectator gets the server's defaults. See protocol/settings#settings,
 * protocol/register#spectators.
 */
const userSettingsState = registerState({
  fetchType: 'user_settings',
  source: 'protocol/settings#settings',
  fields: { user_settings: dict(json()) },
  read: async ({ tx }) => {
    const row = tx.actor && (await findUser(tx, tx.actor.userId));
    if (row) return { user_settings: { ...settingsOf(row), ...CHOICES } };
    const { default_language } = realmSettingsOf(await readRealm(tx));
    return { user_settings: { ...USER_SETTING_DEFAULTS, web_home_view: 'recent', default_language, ...CHOICES } };
  },
});

/** The organization's defaults for new users. See protocol/settings#settings. */
const realmDefaultsState = registerState({
  fetchType: 'realm_user_settings_defaults',
  sameFor: () => '',
  source: 'protocol/settings#settings',
  fields: { realm_user_settings_defaults: dict(json()) },
  read: async ({ tx }) => ({
    realm_user_settings_defaults: { ...(await realmDefaults(tx)), ...CHOICES },
  }),
});

export const settingsStates = [userSettingsState, realmDefaultsState, ...legacySettingsStates];
