import { apiError } from '#kernel/errors';

/** Unknown, expired, deleted or somebody else's: indistinguishable. See protocol/queues#polling, step 5. */
export const BadEventQueue = apiError({
  code: 'BAD_EVENT_QUEUE_ID',
  extra: { queue_id: 'string' },
  message: (e) => `Bad event queue ID: ${e.queue_id}`,
});
export const EventPruned = apiError<Record<never, never>, { id: number }>({
  message: (e) => `An event newer than ${e.id} has already been pruned!`,
});
export const EventNotInQueue = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Event ${e.id} was not in this queue`,
});
