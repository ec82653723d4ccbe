import { slice } from '#kernel/slice';
import { deviceEndpoints } from './endpoints.ts';
import { deviceEvents } from './events.ts';
import { registerJob } from './jobs.ts';
import { forwardTokenJob } from './legacy/actions.ts';
import { tokenEndpoints } from './legacy/endpoints.ts';
import { onKeyEnded } from './signed-out.ts';
import { deviceState } from './state.ts';
import { pushDevice, pushToken } from './tables.ts';

export const pushDevices = slice({
  name: 'push-devices',
  tables: [pushDevice, pushToken],
  endpoints: [...deviceEndpoints, ...tokenEndpoints],
  events: deviceEvents,
  state: [deviceState],
  on: [onKeyEnded],
  jobs: [registerJob, forwardTokenJob],
});

export { applyDeviceEvent } from './apply.ts';
export { mayHelpLater } from './gateway.ts';
export { sendOpenParcels } from './legacy/send.ts';
export { MAX_PARCELS, type Parcel, sendParcels } from './send.ts';
export type { DeviceRow, TokenRow } from './tables.ts';
