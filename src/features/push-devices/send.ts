import { readRealm } from '#features/realms';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { lenientObject, list, maybe, readAs, str } from '#kernel/schema';
import { lockBox, parsePushKey } from '#kernel/secretbox';
import type { RealmWriteTx } from '#kernel/store';
import { deviceUpdated } from './events.ts';
import { askGateway, type GatewayAnswer } from './gateway.ts';
import { failureOf, recordOutcomes } from './outcomes.ts';
import { lockDevice, setDevice } from './queries.ts';
import { handleRefusal } from './service/index.ts';
import type { DeviceRow } from './tables.ts';

/** A notification for one device, before it is encrypted. */
export interface Parcel<D = DeviceRow> {
  readonly device: D;
  /** JSON for the client. */
  readonly payload: object;
  /** Whether it may wake the phone. */
  readonly priority: 'high' | 'normal';
}

/** The push service's answer about parcels, and the devices that it could not serve now. */
export interface Sent<D = DeviceRow> {
  readonly answer: GatewayAnswer;
  readonly left: readonly D[];
}

/** Returns who still needs the notification; called right before each request. */
export type Pending = () => Promise<ReadonlySet<UserId>>;

const NOTHING_SENT: Sent<never> = { answer: { kind: 'accepted', body: {} }, left: [] };

/** Most parcels of one request. */
export const MAX_PARCELS = 200;

const reply = lenientObject({ delete_token_ids: maybe(list(str())), retry_token_ids: maybe(list(str())) });

/**
 * Encrypts at most `MAX_PARCELS` parcels, each for its device alone, and sends them to the push service. Skips users
 * whom `pending` no longer names. Deletes tokens that the service reports as no longer in use. docs/push-gateway.md,
 * "Notify".
 */
export async function sendParcels(
  context: Context,
  realmId: RealmId,
  given: readonly Parcel[],
  pending?: Pending,
): Promise<Sent> {
  const { uuid } = await context.store.of(realmId).query((tx) => readRealm(tx));
  const sealed = await Promise.all(given.map(async (parcel) => ({ parcel, request: await seal(parcel) })));
  const people = await pending?.();
  const remaining = sealed.filter(({ parcel }) => people?.has(parcel.device.user_id) ?? true);
  if (remaining.length === 0) return NOTHING_SENT;
  const parcels = remaining.map(({ parcel }) => parcel);
  const json = { realm_uuid: uuid, push_requests: remaining.flatMap(({ request }) => request ?? []) };
  const answer = await askGateway(context, '/push/e2ee/notify', { json });
  await handleRefusal(context, realmId, answer);
  const gone = answer.kind === 'accepted' ? (readAs(reply, answer.body)?.delete_token_ids ?? []) : [];
  const lost = parcels.map(({ device }) => device).filter(({ push_token_id: id }) => id !== null && gone.includes(id));
  const left = leftOf(answer, parcels);
  const failureFor = (device: DeviceRow) => {
    if (lost.includes(device)) return 'gone';
    return left.includes(device) ? 'not now' : failureOf(answer);
  };
  const outcomes = shown(parcels).map((device) => ({ id: device.id, failure: failureFor(device) }));
  await context.store.of(realmId).write(async (tx) => {
    await recordOutcomes(context, tx, 'phone', outcomes);
    if (lost.length > 0) await forget(tx, lost);
  });
  return { answer, left };
}

/** The devices that were to show something; removals do not count. */
export function shown<D>(parcels: readonly Parcel<D>[]): readonly D[] {
  return parcels.filter(({ priority }) => priority === 'high').map(({ device }) => device);
}

/** The devices that the service could not serve now; docs/push-gateway.md, "Limits". */
function leftOf(answer: GatewayAnswer, parcels: readonly Parcel[]): readonly DeviceRow[] {
  const ids = answer.kind === 'accepted' ? (readAs(reply, answer.body)?.retry_token_ids ?? []) : [];
  return parcels.map(({ device }) => device).filter(({ push_token_id: id }) => id !== null && ids.includes(id));
}

async function seal({ device, payload, priority }: Parcel) {
  const key = parsePushKey(device.push_key ?? '');
  if (!key) return undefined;
  const box = await lockBox(key, Buffer.from(JSON.stringify(payload)));
  const sealed = { push_key_id: device.push_key_id, encrypted_data: Buffer.from(box).toString('base64') };
  if (device.push_token_kind === 'fcm')
    return { token_id: device.push_token_id, fcm_priority: priority, payload: sealed };
  const { http_headers, aps } = APNS[priority];
  return { token_id: device.push_token_id, http_headers, payload: { ...sealed, aps } };
}

/**
 * Delivery options for Apple's service: it wakes the app to decrypt a notification before it is shown, or to remove one
 * without showing anything. docs/push-gateway.md, "Notify".
 */
const APNS = {
  high: {
    http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
  },
  normal: { http_headers: { apns_priority: 5, apns_push_type: 'background' }, aps: { 'content-available': 1 } },
};

async function forget(tx: RealmWriteTx, devices: readonly DeviceRow[]): Promise<void> {
  // A query for each device is fine: there are rarely any, and never many.
  for (const { user_id, id, push_token_id } of devices) {
    const device = await lockDevice(tx, user_id, id);
    if (device?.push_token_id !== push_token_id) continue;
    await setDevice(tx, device, { push_token_id: null });
    tx.emit(deviceUpdated({ device_id: id, push_token_id: null }, { audience: { users: [user_id] } }));
  }
}
