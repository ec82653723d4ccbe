import { administrators, event, everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { bool, idOf, json, maybe, str } from '#kernel/schema';

/** One of the caller's own settings changed. See protocol/events#own-data. */
export const userSettingChanged = event({
  type: 'user_settings',
  op: 'update',
  source: 'protocol/events#own-data',
  payload: {
    property: str(),
    value: json(),
    /** Only with default_language: the language's name in that language. */
    language_name: maybe(str()),
  },
});

/** A default for the organization's new users changed. See protocol/events#organization. */
export const realmDefaultChanged = event({
  type: 'realm_user_settings_defaults',
  op: 'update',
  source: 'protocol/events#organization',
  payload: { property: str(), value: json() },
  audience: () => everyoneInRealm,
  audit: ({ property, value }, before) => ({
    action: 'organization.defaults',
    target: { kind: 'setting', name: property },
    before,
    after: value,
  }),
});

/** Somebody allowed or forbade administrators to export their private data. See protocol/events#organization. */
export const exportConsentChanged = event({
  type: 'realm_export_consent',
  source: 'protocol/events#organization',
  payload: { user_id: idOf<UserId>(), consented: bool() },
  audience: () => administrators,
  stale: 'consents are fetched with the exports',
});
