import { event } from './event.ts';

/**
 * Keeps a parked poll alive. One entry of the log serves every poll of the realm that is due in the same second. Being
 * in the log, its ID is greater than those delivered before. It is addressed to nobody and given to those polls
 * directly.
 */
export const heartbeat = event({
  type: 'heartbeat',
  source: 'protocol/queues#waiting',
  payload: {},
  audience: () => ({}),
  stale: 'carries nothing',
});
