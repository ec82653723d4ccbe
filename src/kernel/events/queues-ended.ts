import { list, maybe, strictObject, str } from '#kernel/schema';
import type { Entry } from './entry.ts';
import { event } from './event.ts';

const payload = { queue_ids: maybe(list(str())) };
const shape = strictObject(payload);

/**
 * Queues were ended, those named or those of the named users: every process that has them in memory forgets them, and
 * answers their polls. Goes to no client.
 */
export const queuesEnded = event({
  type: 'queues_ended',
  source: 'protocol/users#deactivating',
  payload,
  forms: [],
  audience: () => ({}),
  wire: () => [],
  // Ending queues changes nobody's rights.
  changesRights: () => false,
  stale: 'carries nothing',
});

/** The queues that an entry of the log names as ended. */
export function endedBy(entry: Entry): readonly string[] {
  if (entry.type.kind !== queuesEnded.kind) return [];
  return shape.safeParse(entry.payload).data?.queue_ids ?? [];
}
