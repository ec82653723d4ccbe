import { readRealm } from '#features/realms';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { lenientObject, list, str } from '#kernel/schema';
import { lockBox, parsePushKey } from '#kernel/secretbox';
import type { WriteTx } from '#kernel/store';
import { deviceUpdated } from './events.ts';
import { askGateway, type GatewayAnswer, readAs } from './gateway.ts';
import { lockDevice, setDevice } from './queries.ts';
import type { DeviceRow } from './tables.ts';

/** Something for one device, before it is encrypted. */
export interface Parcel<D = DeviceRow> {
  readonly device: D;
  /** What the client reads; JSON. */
  readonly payload: object;
  /** Whether the phone may be woken for it. */
  readonly priority: 'high' | 'normal';
}

/** Most parcels of one request to the service. */
export const MAX_PARCELS = 200;

const reply = lenientObject({ unregistered_token_ids: list(str()) });

/**
 * Encrypts parcels, each for its device alone, and hands them to the push service; at most `MAX_PARCELS`. Tokens that the
 * service says are no longer in use are forgotten. docs/push-gateway.md, "Notify".
 */
export async function sendParcels(
  context: Context,
  realmId: RealmId,
  parcels: readonly Parcel[],
): Promise<GatewayAnswer> {
  const { uuid } = await context.store.query((tx) => readRealm(tx, realmId));
  const notifications = await Promise.all(parcels.map(seal));
  const content = { json: { realm_uuid: uuid, notifications: notifications.filter(Boolean) } };
  const answer = await askGateway(context, '/e2ee/notify', content);
  const gone = answer.kind === 'accepted' ? (readAs(reply, answer.body)?.unregistered_token_ids ?? []) : [];
  const lost = parcels.map(({ device }) => device).filter(({ push_token_id: id }) => id !== null && gone.includes(id));
  if (lost.length > 0) await context.store.write((tx) => forget(tx, lost));
  return answer;
}

async function seal({ device, payload, priority }: Parcel) {
  const key = parsePushKey(device.push_key ?? '');
  if (!key) return undefined;
  const box = await lockBox(key, Buffer.from(JSON.stringify(payload)));
  const encrypted_data = Buffer.from(box).toString('base64');
  return { token_id: device.push_token_id, push_key_id: device.push_key_id, priority, encrypted_data };
}

async function forget(tx: WriteTx, devices: readonly DeviceRow[]): Promise<void> {
  // Few at a time, and rarely any.
  for (const { realm_id, user_id, id, push_token_id } of devices) {
    const device = await lockDevice(tx, realm_id, user_id, id);
    if (device?.push_token_id !== push_token_id) continue;
    await setDevice(tx, device, { push_token_id: null });
    tx.emit(deviceUpdated(realm_id, { device_id: id, push_token_id: null }, { audience: { users: [user_id] } }));
  }
}
