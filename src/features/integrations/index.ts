import { slice } from '#kernel/slice';

export const integrations = slice({ name: 'integrations' });

export { HeaderMissing, PayloadFault, UnsupportedEvent } from './faults.ts';
export { Field } from './field.ts';
export type { Call, Integration } from './integration.ts';
export { eventsOf, findIntegration, INTEGRATIONS } from './registry.ts';
export { isWanted, say, type Saying } from './say.ts';
export { isSigned } from './signature.ts';
