import { event } from '#kernel/events';
import { idOf, partial } from '#kernel/schema';
import type { DeviceId } from './tables.ts';
import { wireDevice } from './wire.ts';

const device_id = idOf<DeviceId>();

/** The user signed in with another client. Contract operations 5.9. */
export const deviceAdded = event({
  type: 'device',
  op: 'add',
  source: 'contract operations 5.9',
  payload: { device_id },
});

/** A push registration of the user began, ended or changed; only what is new. Contract operations 4.10. */
export const deviceUpdated = event({
  type: 'device',
  op: 'update',
  source: 'contract operations 4.10',
  payload: { device_id, ...partial(wireDevice.shape).shape },
});

/** The user threw a device away. Contract operations 5.9. */
export const deviceRemoved = event({
  type: 'device',
  op: 'remove',
  source: 'contract operations 5.9',
  payload: { device_id },
});

export const deviceEvents = [deviceAdded, deviceUpdated, deviceRemoved];
