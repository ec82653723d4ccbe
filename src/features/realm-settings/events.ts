import { event, everyoneInRealm } from '#kernel/events';
import { dict, json, str } from '#kernel/schema';

/** One setting of the organization changed. Contract register 4.4.13. */
export const realmUpdated = event({
  type: 'realm',
  op: 'update',
  source: 'contract register 4.4.13',
  payload: { property: str(), value: json() },
  audience: () => everyoneInRealm,
});

/** Settings changed that are announced together: `data` has the new values. Contract register 4.4.13. */
export const realmValuesUpdated = event({
  type: 'realm',
  op: 'update_dict',
  source: 'contract register 4.4.13',
  payload: { property: str(), data: dict(json()) },
  audience: () => everyoneInRealm,
});
