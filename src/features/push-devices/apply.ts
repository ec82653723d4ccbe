import type { WireDevice } from './wire.ts';

/** A client's state about its user's devices. */
interface DevicesState {
  readonly devices: Readonly<Record<string, WireDevice>>;
}

type DeviceEvent = { readonly device_id: number } & (
  | { readonly op: 'add' | 'remove' }
  | ({ readonly op: 'update' } & Partial<WireDevice>)
);

const NEW: WireDevice = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** The devices after an event. See protocol/events#own-data. */
export function applyDeviceEvent({ devices }: DevicesState, event: DeviceEvent): DevicesState {
  const { [event.device_id]: before = NEW, ...others } = devices;
  if (event.op === 'remove') return { devices: others };
  const changed = Object.entries(event).filter(([name]) => name in NEW);
  return { devices: { ...others, [event.device_id]: { ...before, ...Object.fromEntries(changed) } } };
}
