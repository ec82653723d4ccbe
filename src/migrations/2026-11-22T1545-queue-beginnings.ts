import { defineMigration } from '#kernel/store';

const UNKNOWN = { type: 'int', default: 0 } as const;

/** Where each queue began, and its newest heartbeat; 0 where that is not known any more. */
export const queueBeginnings = defineMigration('2026-11-22T1545-queue-beginnings', async (m) => {
  await m.addColumn('event_queue', 'began_id', UNKNOWN);
  await m.addColumn('event_queue', 'heartbeat_id', UNKNOWN);
});
