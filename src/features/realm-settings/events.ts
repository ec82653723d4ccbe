import { event, everyoneInRealm } from '#kernel/events';
import type { RealmId } from '#kernel/ids';
import { dict, idOf, json, str } from '#kernel/schema';

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

/** The organization was taken out of use; nothing comes after it. Contract register 4.4.13. */
export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  source: 'contract register 4.4.13',
  payload: { realm_id: idOf<RealmId>() },
  audience: () => everyoneInRealm,
});
