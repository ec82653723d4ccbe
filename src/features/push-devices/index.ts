import { applier, slice } from '#kernel/slice';
import { applyDeviceEvent } from './apply.ts';
import { deviceEndpoints } from './endpoints.ts';
import { deviceEvents } from './events.ts';
import { registerJob } from './jobs.ts';
import { forwardTokenJob } from './legacy/index.ts';
import { tokenEndpoints } from './legacy-endpoints.ts';
import { onDeviceKeyEnded, onKeyEnded } from './actions.ts';
import { challengePage, reportRegularly } from './service/index.ts';
import { phonesEndpoint } from './phone-endpoints.ts';
import { deviceState } from './state.ts';
import { pushDevice, pushToken } from './tables.ts';

export const pushDevices = slice({
  name: 'push-devices',
  tables: [pushDevice, pushToken],
  reads: ['user'],
  pages: [challengePage],
  background: reportRegularly,
  endpoints: [...deviceEndpoints, phonesEndpoint, ...tokenEndpoints],
  events: deviceEvents,
  state: [deviceState],
  applies: [applier(['device'], ['devices'], applyDeviceEvent)],
  on: [onKeyEnded, onDeviceKeyEnded],
  jobs: [registerJob, forwardTokenJob],
});

export { isTransient } from './gateway.ts';
export {
  deactivateServer,
  makeAccount,
  registerServer,
  reportToService,
  type Said,
  sealChallenge,
  transferServer,
} from './service/index.ts';
export { sendOpenParcels, sendToOlder } from './legacy/index.ts';
export { MAX_PARCELS, type Parcel, type Sent, sendParcels, type Pending } from './send.ts';
export { aboutRealm } from './trial.ts';
export type { DeviceRow, TokenRow } from './tables.ts';
