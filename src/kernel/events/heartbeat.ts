import { event } from './event.ts';

/**
 * Keeps a parked poll alive. One entry of the log serves every poll of the realm that is due in the same second, so that
 * its ID is greater than anything delivered before; it is addressed to nobody and handed to those polls directly.
 */
export const heartbeat = event({
  type: 'heartbeat',
  source: 'protocol/queues#waiting',
  payload: {},
  audience: () => ({}),
  stale: 'carries nothing',
});
