import { event } from './event.ts';

/**
 * Queues of users were ended: every process that has them in memory forgets them, and their polls are answered. Goes to no
 * client.
 */
export const queuesEnded = event({
  type: 'queues_ended',
  source: 'contract operations 4.14, effect 6',
  payload: {},
  audience: () => ({}),
  wire: () => [],
  stale: 'carries nothing',
});
