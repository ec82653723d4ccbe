import { dict } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listDevices } from './queries.ts';
import { toWireDevice, wireDevice } from './wire.ts';

/** The caller's devices, by ID. See protocol/push#devices. */
export const deviceState = registerState({
  fetchType: 'device',
  source: 'protocol/push#devices',
  fields: { devices: dict(wireDevice) },
  read: async ({ tx }) => ({
    devices: tx.actor
      ? Object.fromEntries((await listDevices(tx, tx.actor.userId)).map((row) => [row.id, toWireDevice(row)]))
      : {},
  }),
});
