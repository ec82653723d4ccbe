import { slice } from '#kernel/slice';
import { organizationEndpoints } from './endpoints.ts';
import { realmDeactivated } from './events.ts';
import { organizationPages } from './pages.ts';
import { removalJob } from './removal.ts';

export const organizations = slice({
  name: 'organizations',
  endpoints: organizationEndpoints,
  pages: organizationPages,
  events: [realmDeactivated],
  jobs: [removalJob],
});

export { createOrganization, createWithin, foundingFaults } from './create.ts';
export { reactivateRealm } from './deactivate.ts';
export { firstOrganizationLink } from './links.ts';
export { moveOrganization, subdomainFault } from './move.ts';
export { removeUnfinished } from './removal.ts';
