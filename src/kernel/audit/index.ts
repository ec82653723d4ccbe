import './tables.ts';

export { causeOfCommand, causeOfRequest, isForgotten } from './cause.ts';
export { auditKeyOf, hashOfEntry } from './chain.ts';
export { checkChain } from './check-chain.ts';
export { deleteOldEntries } from './delete-old.ts';
export { type AuditFilter, listEntriesAfter, listEntriesBefore } from './queries.ts';
export { record } from './record.ts';
export { auditedStore, withCause } from './store.ts';
export type { AuditRow } from './tables.ts';
