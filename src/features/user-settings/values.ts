import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { readRealm, settingsOf as realmSettingsOf } from '#features/realms';
import { findUsers, type UserRow } from '#features/users';
import { findRealmDefaults } from './queries.ts';
import {
  type DefaultedSettings,
  USER_SETTING_DEFAULTS,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettings,
} from './settings.ts';

/** Settings as a client sent them; missing ones are undefined. */
export type SentSettings = { readonly [K in UserSettingName]?: UserSettings[K] | undefined };

type SettingFacts = Pick<UserRow, 'user_settings' | 'email_address_visibility' | 'timezone'>;

/** Cached settings of row objects, which are shared and never change. */
const settled = new WeakMap<SettingFacts, UserSettings>();

/** All settings of a user: their own values, and the defaults for the rest. */
export function settingsOf(row: SettingFacts): UserSettings {
  const known = settled.get(row);
  if (known) return known;
  const { user_settings, email_address_visibility, timezone } = row;
  const settings = { ...USER_SETTING_DEFAULTS, ...user_settings, ...visibilityOf(email_address_visibility), timezone };
  if (Object.isFrozen(row)) settled.set(row, Object.freeze(settings));
  return settings;
}

/** All settings of each user; unknown IDs are missing from the map. */
export async function settingsOfUsers(
  tx: RealmReadTx,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, UserSettings>> {
  const rows = await findUsers(tx, ids);
  return new Map([...rows.values()].map((row) => [row.id, settingsOf(row)]));
}

/** The settings of the organization's new users. */
export async function realmDefaults(tx: RealmReadTx): Promise<DefaultedSettings> {
  const { timezone: _, ...defaults } = { ...USER_SETTING_DEFAULTS, ...(await findRealmDefaults(tx)) };
  return defaults;
}

/** The columns of a new user's account that hold settings. See protocol/settings#settings. */
export async function settingsOfNewUser(
  tx: RealmReadTx,
): Promise<Pick<UserRow, 'user_settings' | 'email_address_visibility'>> {
  const { default_language } = realmSettingsOf(await readRealm(tx));
  const { email_address_visibility = 1, ...chosen } = await findRealmDefaults(tx);
  const isUsual = default_language === USER_SETTING_DEFAULTS.default_language;
  return { user_settings: { ...(!isUsual && { default_language }), ...chosen }, email_address_visibility };
}

const NAMES = Object.keys(USER_SETTINGS);
/** The settings with columns of their own. */
const COLUMNS = ['timezone', 'email_address_visibility'];
const VISIBILITIES = [1, 2, 3, 4, 5] as const;

function visibilityOf(stored: number): Pick<UserSettings, 'email_address_visibility'> {
  return { email_address_visibility: VISIBILITIES.find((known) => known === stored) ?? 1 };
}

/** Names and new values of the settings that change. */
export function differences(before: UserSettings, sent: SentSettings): [string, unknown][] {
  const now = new Map<string, unknown>(Object.entries(before));
  const wanted = new Map<string, unknown>(Object.entries(sent));
  return NAMES.filter((name) => wanted.get(name) !== undefined && wanted.get(name) !== now.get(name)).map((name) => [
    name,
    wanted.get(name),
  ]);
}

/** The settings that differ from the server's defaults. */
export function sparse(settings: UserSettings, except: readonly string[] = COLUMNS): Partial<UserSettings> {
  const usual = new Map<string, unknown>(Object.entries(USER_SETTING_DEFAULTS));
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== usual.get(name) && !except.includes(name)),
  );
}
