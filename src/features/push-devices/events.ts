import { event } from '#kernel/events';
import { idOf, partial } from '#kernel/schema';
import type { DeviceId } from './tables.ts';
import { wireDevice } from './wire.ts';

const device_id = idOf<DeviceId>();

/** The user signed in with a new client. See protocol/push#devices. */
export const deviceAdded = event({
  type: 'device',
  op: 'add',
  source: 'protocol/push#devices',
  payload: { device_id },
});

/** A push registration of the user began, ended or changed; contains only the changes. See protocol/push#effects. */
export const deviceUpdated = event({
  type: 'device',
  op: 'update',
  source: 'protocol/push#effects',
  payload: { device_id, ...partial(wireDevice.shape).shape },
});

/** The user deleted a device. See protocol/push#devices. */
export const deviceRemoved = event({
  type: 'device',
  op: 'remove',
  source: 'protocol/push#devices',
  payload: { device_id },
});

export const deviceEvents = [deviceAdded, deviceUpdated, deviceRemoved];
