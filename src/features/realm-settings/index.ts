import { applier, slice } from '#kernel/slice';
import { applyRealmEvent } from './apply.ts';
import { REALM_GROUP_SETTINGS, REALM_SETTINGS } from '#features/realms';
import { forgetArchived } from './check.ts';
import { emojiDataPage } from './emoji-data.ts';
import { realmEndpoints } from './endpoints.ts';
import { realmUpdated, realmValuesUpdated } from './events.ts';
import { unconfiguredStates } from './not-configured.ts';
import { realmStates } from './state.ts';

/** Fields that follow the settings: those with their names, and derived older ones. */
const REALM_FIELDS = [
  'realm_name',
  'realm_allow_edit_history',
  'realm_mandatory_topics',
  'jitsi_server_url',
  'password_min_guesses',
  'password_min_length',
  'realm_email_auth_enabled',
  'realm_password_auth_enabled',
  ...Object.entries(REALM_SETTINGS).flatMap(([name, { announced }]) =>
    announced === 'silent' ? [] : [`realm_${name}`],
  ),
  ...REALM_GROUP_SETTINGS.map(({ name }) => `realm_${name}`),
];

export const realmSettings = slice({
  name: 'realm-settings',
  endpoints: realmEndpoints,
  pages: [emojiDataPage],
  events: [realmUpdated, realmValuesUpdated],
  state: [...realmStates, ...unconfiguredStates],
  applies: [applier(['realm'], REALM_FIELDS, applyRealmEvent)],
  on: [forgetArchived],
});

export { setPushStatus } from './actions.ts';
export { realmUpdated, realmValuesUpdated } from './events.ts';
export { MIN_DELETION_DAYS, REPORT_NAMES, REPORT_REASONS, type ReportReason } from './server-facts.ts';
export { pictureUrls } from './to-wire.ts';
