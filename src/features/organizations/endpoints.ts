import { endpoint, json, optional, owners } from '#kernel/endpoint';
import { RealmDeactivated } from '#kernel/errors';
import { int, nullable } from '#kernel/schema';
import { deactivateRealm } from './deactivate.ts';
import { DeletionTooSoon } from './errors.ts';

const deactivateRealmEndpoint = endpoint({
  id: 'deactivate-realm',
  method: 'POST',
  path: '/realm/deactivate',
  source: 'protocol/organizations#deactivating',
  doc: 'Deactivates the organization: nobody can log in any more.',
  who: owners,
  dangerous: true,
  params: {
    deletion_delay_days: optional(
      json(
        nullable(int()),
        'Days until everything that the organization has is deleted, unless it is brought back before; null or absent: \
it is kept. At least `server_min_deactivated_realm_deletion_days`.',
      ),
    ),
  },
  returns: {},
  fails: [DeletionTooSoon, RealmDeactivated],
  async run({ context, realm, params }) {
    await deactivateRealm(context, realm, params.deletion_delay_days ?? undefined);
    return {};
  },
});

export const organizationEndpoints = [deactivateRealmEndpoint];
