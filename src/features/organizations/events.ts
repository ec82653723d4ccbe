import { event, everyoneInRealm } from '#kernel/events';
import type { RealmId } from '#kernel/ids';
import { idOf } from '#kernel/schema';

/** The organization was deactivated; this is its last event. See protocol/events#organization. */
export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  source: 'protocol/events#organization',
  payload: { realm_id: idOf<RealmId>() },
  audience: () => everyoneInRealm,
  audit: () => ({ action: 'organization.deactivated', target: { kind: 'organization' } }),
});
