import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';
import type { QueueDescriptor } from './queue.ts';

/** The newest event ID of each realm; its row is the lock that makes IDs grow in commit order. */
const realmLog = table('realm_log', {
  realm_id: col.ref<RealmId>(),
  head: col.int(),
});

/** The log itself: one row per event, however many people receive it. */
export const eventTable = table('event', {
  realm_id: col.ref<RealmId>(),
  id: col.int(),
  /** Last ID that the entry may use if it becomes several wire events. */
  last_id: col.int(),
  kind: col.text(),
  payload: col.text(),
  details: col.text(),
  created_at: col.int(),
});

/** Event queues: cursors into the log. */
const eventQueue = table('event_queue', {
  queue_id: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  descriptor: col.json<QueueDescriptor>(),
  began_id: col.int(),
  acked_id: col.int(),
  heartbeat_id: col.int(),
  last_seen_at: col.int(),
  idle_seconds: col.int(),
  created_at: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    realm_log: RowOf<typeof realmLog>;
    event: RowOf<typeof eventTable>;
    event_queue: RowOf<typeof eventQueue>;
  }
}
