import { event, everyoneInRealm } from '#kernel/events';
import type { RealmId } from '#kernel/ids';
import { idOf } from '#kernel/schema';

/** The organization was taken out of use; nothing comes after it. Contract register 4.4.13. */
export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  source: 'contract register 4.4.13',
  payload: { realm_id: idOf<RealmId>() },
  audience: () => everyoneInRealm,
});
