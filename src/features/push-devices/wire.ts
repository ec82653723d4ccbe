import { int, nullable, object, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { DeviceRow } from './tables.ts';

/** A device as clients see it, with null for members that are not known yet. See protocol/push#devices. */
export const wireDevice = object({
  push_key_id: nullable(int()),
  push_token_id: nullable(str()),
  pending_push_token_id: nullable(str()),
  push_token_last_updated_timestamp: nullable(timestamp()),
  push_registration_error_code: nullable(str()),
}).meta({ id: 'Device' });
export type WireDevice = SchemaOf<typeof wireDevice>;

export function toWireDevice(row: DeviceRow): WireDevice {
  return {
    push_key_id: row.push_key_id,
    push_token_id: row.push_token_id,
    pending_push_token_id: row.pending_push_token_id,
    push_token_last_updated_timestamp: row.push_token_last_updated_timestamp,
    push_registration_error_code: row.push_registration_error_code,
  };
}
