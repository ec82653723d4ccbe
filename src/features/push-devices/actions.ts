import { deviceKeyEnded } from '#features/device-keys';
import { keyEnded } from '#features/users';
import { type Actor, deviceKeyOf } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { on } from '#kernel/slice';
import type { RealmWriteTx, WriteTx } from '#kernel/store';
import { InvalidDevice, PushNotConfigured } from './errors.ts';
import { deviceAdded, deviceRemoved, deviceUpdated } from './events.ts';
import { queueRegistration } from './jobs.ts';
import { deleteTokens, endTokensOfKey, forgetTokensLater } from './legacy/index.ts';
import {
  deleteDevice,
  deleteDevices,
  type DeviceChanges,
  insertDevice,
  listDevices,
  lockDevice,
  setDevice,
} from './queries.ts';
import { assertRegistrable, completeGroups, type Groups, isRegistered } from './registration.ts';
import type { DeviceId } from './tables.ts';

/** Most devices of a person; a further one replaces the oldest. See protocol/push#devices. */
const MAX_DEVICES = 100;

/** Adds a device for a client in which the caller signed in. See protocol/push#devices. */
export function addDevice(context: Context, actor: Actor): Promise<DeviceId> {
  const { realmId, userId } = actor;
  return context.store.of(realmId).write(async (tx) => {
    const device_id = await insertDevice(tx, userId, deviceKeyOf(actor));
    tx.emit(deviceAdded({ device_id }, { audience: { users: [userId] } }));
    const all = await listDevices(tx, userId);
    const doomed = all.slice(0, -MAX_DEVICES).map(({ id }) => id);
    if (doomed.length > 0) await endDevices(tx, userId, doomed);
    return device_id;
  });
}

/** Deletes a user's devices, all or these, and tells the user's clients. */
async function endDevices(tx: RealmWriteTx, userId: UserId, ids?: readonly DeviceId[]): Promise<void> {
  for (const device_id of await deleteDevices(tx, userId, ids))
    tx.emit(deviceRemoved({ device_id }, { audience: { users: [userId] } }));
}

/** Deletes a device of the caller and its push registration. See protocol/push#devices. */
export async function removeDevice(context: Context, { realmId, userId }: Actor, device_id: DeviceId): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    if (!(await deleteDevice(tx, userId, device_id))) throw InvalidDevice();
    tx.emit(deviceRemoved({ device_id }, { audience: { users: [userId] } }));
  });
}

/**
 * Stores a device's key, and queues the registration of its token with the push service. See protocol/push#registering.
 */
export async function registerPush(
  context: Context,
  actor: Actor,
  device_id: DeviceId,
  sent: Parameters<typeof completeGroups>[0],
): Promise<void> {
  if (!context.pushGateway) throw PushNotConfigured();
  const { realmId, userId } = actor;
  await context.store.of(realmId).write(async (tx) => {
    const device = await lockDevice(tx, userId, device_id);
    if (!device) throw InvalidDevice();
    const groups = completeGroups(sent);
    assertRegistrable(device, groups);
    if (isRegistered(device, groups)) return;
    await setDevice(tx, device, changesBy(tx, groups));
    const news = { device_id, ...newsOf(tx, groups) };
    tx.emit(deviceUpdated(news, { audience: { users: [userId] } }));
    if (groups.token) await queueRegistration(tx, device, groups.token);
  });
}

function changesBy(tx: WriteTx, groups: Groups): DeviceChanges {
  const { key, token } = groups;
  return {
    ...newsOf(tx, groups),
    ...(key && { push_key: key.push_key }),
    ...(token && { push_token_kind: token.token_kind }),
  };
}

/** The members of the immediate event to the user's clients. See protocol/push#effects. */
function newsOf({ now }: WriteTx, { key, token }: Groups) {
  return {
    ...(key && { push_key_id: key.push_key_id }),
    ...(token && {
      pending_push_token_id: token.token_id,
      push_token_last_updated_timestamp: now,
      push_registration_error_code: null,
    }),
  };
}

/**
 * Deletes devices when the user's key ends: their clients show nothing more until they sign in again. See
 * protocol/push#devices.
 */
export const onKeyEnded = on(keyEnded, async (tx, { userId }, context) => {
  if ((await deleteTokens(tx, userId)) > 0) await forgetTokensLater(context, tx, userId);
  await endDevices(tx, userId);
});

/** Deletes the devices of a phone whose key was revoked, which may be lost: it shows nothing more. */
export const onDeviceKeyEnded = on(deviceKeyEnded, async (tx, { userId, keyId }, context) => {
  await endTokensOfKey(context, tx, userId, keyId);
  const ended = (await listDevices(tx, userId)).filter((device) => device.device_key_id === keyId);
  if (ended.length === 0) return;
  await endDevices(
    tx,
    userId,
    ended.map(({ id }) => id),
  );
});
