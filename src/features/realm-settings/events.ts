import { event, everyoneInRealm } from '#kernel/events';
import { dict, json, str } from '#kernel/schema';

/** One setting of the organization changed. See protocol/events#organization. */
export const realmUpdated = event({
  type: 'realm',
  op: 'update',
  source: 'protocol/events#organization',
  payload: { property: str(), value: json() },
  audience: () => everyoneInRealm,
  audit: ({ property, value }, before) => settingsAct({ [property]: value }, before),
});

/** Settings changed that are announced together: `data` has the new values. See protocol/events#organization. */
export const realmValuesUpdated = event({
  type: 'realm',
  op: 'update_dict',
  source: 'protocol/events#organization',
  payload: { property: str(), data: dict(json()) },
  audience: () => everyoneInRealm,
  audit: ({ data }, before) => settingsAct(data, before),
});

function settingsAct(after: Readonly<Record<string, unknown>>, before: unknown) {
  return { action: 'organization.settings', target: { kind: 'organization' }, before, after };
}
