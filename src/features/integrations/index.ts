import { slice } from '#kernel/slice';
import { integrationPages } from './pages.ts';

export const integrations = slice({ name: 'integrations', pages: integrationPages });

export { integrationDocument, integrationsDocument } from './document.ts';
export { HeaderMissing, PayloadFault, UnsupportedEvent } from './faults.ts';
export { Field } from './field.ts';
export type { Call, Integration } from './integration.ts';
export { eventsOf, findIntegration, INTEGRATIONS } from './registry.ts';
export { isWanted, say, type Saying } from './say.ts';
export { isSigned } from './signature.ts';
