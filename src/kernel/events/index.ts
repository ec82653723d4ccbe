export {
  type Audience,
  administrators,
  type ChannelAudience,
  everyoneInRealm,
  nonGuests,
  onlyUsers,
} from './audience.ts';
export { BadEventQueue, EventNotInQueue, EventPruned } from './errors.ts';
export {
  type AnyEventType,
  type Details,
  type EmittedEvent,
  event,
  type EventType,
  type Flags,
  type QueueNarrow,
  type WireEvent,
} from './event.ts';
export { Entry } from './entry.ts';
export { heartbeat } from './heartbeat.ts';
export { EventLog } from './log.ts';
export type { Waiter } from './polls.ts';
export type { QueueDescriptor } from './queue.ts';
export { deleteAllQueues, deleteQueuesOf, listenersAmong } from './queue-rows.ts';
export { queuesEnded } from './queues-ended.ts';
export { EventQueues, type NewQueue } from './queues.ts';
export { EventRegistry } from './registry.ts';
export type { Period, RosterChange, RosterSource } from './rosters.ts';
export { realmCache } from './realm-cache.ts';
export { headOf, insertLog, lockLog } from './rows.ts';
export { CAPABILITIES, type Capability, PLAIN_VIEW, type View } from './view.ts';
export type { Hidden, Viewer, ViewerFacts, ViewerSource } from './viewer.ts';
export { eventQueue, eventTable, realmLog } from './tables.ts';
