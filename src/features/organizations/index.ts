import { slice } from '#kernel/slice';
import { organizationPages } from './pages.ts';

export const organizations = slice({ name: 'organizations', pages: organizationPages });

export { createOrganization, type NewOrganization } from './create.ts';
export { foundingFault } from './founding.ts';
export { firstOrganizationLink } from './links.ts';
