import './tables.ts';

export { causeOfCommand, causeOfRequest, isForgotten } from './cause.ts';
export { checkChain } from './check-chain.ts';
export { type AuditFilter, listEntriesAfter, listEntriesBefore } from './queries.ts';
export { record } from './record.ts';
export { auditedStore, withCause } from './store.ts';
export type { AuditRow } from './tables.ts';
