// Declares the room's tables, so that their columns are decoded.
import './tables.ts';
export {
  type Audience,
  administrators,
  everyoneInRealm,
  nonGuests,
  onlyUsers,
} from './audience.ts';
export { BadEventQueue, EventNotInQueue, EventPruned } from './errors.ts';
export {
  type AnyEventType,
  type EventWords,
  isNamed,
  event,
  type Flags,
  type Origin,
  type QueueNarrow,
  type WireEvent,
} from './event.ts';
export { heartbeat } from './heartbeat.ts';
export { hasHeldLog, holdLog, lockLog, logBatch } from './lock.ts';
export { EventLog } from './log.ts';
export type { QueueDescriptor } from './queue.ts';
export { deleteAllQueues, deleteQueuesOf, listenersAmong } from './queue-rows.ts';
export { queuesEnded } from './queues-ended.ts';
export { EventQueues } from './queues.ts';
export { EventRegistry } from './registry.ts';
export type { MembershipSource } from './membership-index.ts';
export { realmCache } from './realm-cache.ts';
export { insertLog } from './rows.ts';
export { CAPABILITIES, type Capability, PLAIN_VIEW, type View } from './view.ts';
export type { Hidden, Viewer, ViewerSource } from './viewer.ts';
