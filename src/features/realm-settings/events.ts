import { REALM_GROUP_SETTINGS } from '#features/realms';
import { event, everyoneInRealm } from '#kernel/events';
import { dict, json, str } from '#kernel/schema';

/** One setting of the organization changed. See protocol/events#organization. */
export const realmUpdated = event({
  type: 'realm',
  op: 'update',
  source: 'protocol/events#organization',
  payload: { property: str(), value: json() },
  changesRights: ({ property }) => isPermission(property),
  audience: () => everyoneInRealm,
  audit: ({ property, value }, before) => settingsAct({ [property]: value }, before),
});

/** Settings that are announced together changed: `data` has the new values. See protocol/events#organization. */
export const realmValuesUpdated = event({
  type: 'realm',
  op: 'update_dict',
  source: 'protocol/events#organization',
  payload: { property: str(), data: dict(json()) },
  changesRights: ({ data }) => Object.keys(data).some(isPermission),
  audience: () => everyoneInRealm,
  audit: ({ data }, before) => settingsAct(data, before),
});

const isPermission = (name: string): boolean => REALM_GROUP_SETTINGS.some((setting) => setting.name === name);

function settingsAct(after: Readonly<Record<string, unknown>>, before: unknown) {
  return { action: 'organization.settings', target: { kind: 'organization' }, before, after };
}
