import { createHash } from 'node:crypto';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { PageResponse } from '#kernel/endpoint';
import {
  anyOf,
  int,
  json,
  lenientObject,
  list,
  maybe,
  nullable,
  oneOf,
  oneOfNumbers,
  readAs,
  str,
} from '#kernel/schema';
import { type KeyPair, parseBase64, unsealBox } from '#kernel/secretbox';
import { parseJson } from '#kernel/text';
import { deliverAll, type Parcel } from './deliver.ts';
import { findRealm, insertDevice, listByTokenIds, type RealmRow } from './queries.ts';
import { accept, badRequest, Refused } from './reading.ts';
import { assertRoomForPhone, type Caller } from './room.ts';
import type { Senders } from './senders.ts';
import type { GatewayDevice, GatewayServer } from './tables.ts';

/** Most notifications of one request. */
const MAX_REQUESTS = 200;
/** Identifiers of apps, which become a header. */
export const APP_ID = /^[.a-zA-Z0-9-]{1,255}$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;

/** The ID of a token: Base64 of the first 8 bytes of its SHA-256. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}

const registration = lenientObject({
  token: str(),
  token_kind: oneOf('apns', 'fcm'),
  ios_app_id: maybe(nullable(str())),
  timestamp: int(),
});

/** Stores the phone of a registration that an app sealed for this gateway. docs/push-gateway.md, "Register". */
export async function registerSealed(
  context: Context,
  server: Caller,
  keys: KeyPair,
  form: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const realm_uuid = await assertRealm(context, server, form.get('realm_uuid') ?? '');
  if (form.get('bouncer_public_key') !== Buffer.from(keys.publicKey).toString('base64'))
    throw new Refused(400, 'INVALID_BOUNCER_PUBLIC_KEY', 'Invalid bouncer_public_key');
  const box = parseBase64(form.get('encrypted_push_registration') ?? '');
  const plain = box && (await unsealBox(keys, box));
  const read = plain && readAs(registration, parseJson(Buffer.from(plain).toString()));
  if (!read || !isValid(read) || tokenIdOf(read.token) !== form.get('token_id'))
    throw badRequest('Invalid encrypted_push_registration');
  if (context.clock.now() - read.timestamp > SECONDS_PER_DAY)
    throw new Refused(400, 'REQUEST_EXPIRED', 'Request expired');
  const { token, token_kind: kind, ios_app_id: app_id = null } = read;
  const row = { server_id: server.id, realm_uuid, owner: '', token_id: tokenIdOf(token), kind, token, app_id };
  await assertRoomForPhone(context, server, row);
  await context.store.write((tx) => insertDevice(tx, row));
  return accept();
}

function isValid({
  token,
  token_kind,
  ios_app_id,
}: {
  token: string;
  token_kind: string;
  ios_app_id?: string | null | undefined;
}) {
  const hasLength = token.length > 0 && token.length <= 4096;
  return hasLength && (token_kind === 'apns' ? HEX.test(token) && APP_ID.test(ios_app_id ?? '') : !ios_app_id);
}

/** Finds an organization that the server has reported; throws if another server has. */
export async function findOwnRealm(
  context: Context,
  server: GatewayServer,
  uuid: string,
): Promise<RealmRow | undefined> {
  const realm = await context.store.query((tx) => findRealm(tx, uuid));
  if (realm && realm.server_id !== server.id)
    throw new Refused(
      403,
      'REMOTE_REALM_SERVER_MISMATCH_ERROR',
      'Your organization is registered to a different Zulip server.',
    );
  return realm;
}

/** Throws unless the server has reported the organization, which is in use. */
async function assertRealm(context: Context, server: GatewayServer, uuid: string): Promise<string> {
  const realm = await findOwnRealm(context, server, uuid);
  if (!realm) throw new Refused(403, 'MISSING_REMOTE_REALM', 'Organization not registered');
  if (realm.is_deactivated)
    throw new Refused(
      400,
      'PUSH_NOTIFICATIONS_DISALLOWED',
      "Your plan doesn't allow sending push notifications. Reason provided by the server: Organization is deactivated",
    );
  return uuid;
}

const payload = { push_key_id: int(), encrypted_data: str() };
const apns = lenientObject({
  token_id: str(),
  http_headers: lenientObject({ apns_priority: oneOfNumbers(5, 10), apns_push_type: oneOf('alert', 'background') }),
  payload: lenientObject({ ...payload, aps: json() }),
});
const fcm = lenientObject({ token_id: str(), fcm_priority: oneOf('high', 'normal'), payload: lenientObject(payload) });
const notification = lenientObject({
  realm_uuid: str(),
  push_requests: list(anyOf(apns, fcm), { max: MAX_REQUESTS }),
});

/** Sends notifications that only the apps can read. docs/push-gateway.md, "Notify". */
export async function notifySealed(
  context: Context,
  server: GatewayServer,
  senders: Senders,
  body: unknown,
): Promise<PageResponse> {
  const read = readAs(notification, body);
  if (!read) throw badRequest('Invalid request');
  const realmUuid = await assertRealm(context, server, read.realm_uuid);
  const ids = [...new Set(read.push_requests.map(({ token_id }) => token_id))];
  const devices = await context.store.query((tx) => listByTokenIds(tx, server.id, realmUuid, ids));
  const known = new Map(devices.map((device) => [device.token_id, device]));
  const parcels = read.push_requests.flatMap((request) => {
    const device = known.get(request.token_id);
    return device ? [toParcel(device, request)] : [];
  });
  const results = await deliverAll(context, senders, parcels);
  const idsOf = (wanted: string) =>
    results.filter(({ outcome }) => outcome === wanted).map(({ device }) => device.token_id);
  const count = (kind: string) =>
    results.filter(({ outcome, device }) => outcome === 'delivered' && device.kind === kind).length;
  return accept({
    android_successfully_sent_count: count('fcm'),
    apple_successfully_sent_count: count('apns'),
    delete_token_ids: [...ids.filter((id) => !known.has(id)), ...idsOf('gone')],
    retry_token_ids: idsOf('later'),
    realm: { can_push: true, expected_end_timestamp: null },
  });
}

type Request = { readonly payload: { readonly push_key_id: number; readonly encrypted_data: string } } & (
  | { readonly http_headers: { readonly apns_priority: number; readonly apns_push_type: 'alert' | 'background' } }
  | { readonly fcm_priority: 'high' | 'normal' }
);

function toParcel(device: GatewayDevice, request: Request): Parcel {
  const { token, app_id: appId } = device;
  if ('fcm_priority' in request) {
    const { push_key_id, encrypted_data } = request.payload;
    const data = { push_key_id: String(push_key_id), encrypted_data };
    return { device, push: { token, appId, priority: request.fcm_priority, payload: data } };
  }
  const { apns_priority, apns_push_type: pushType } = request.http_headers;
  const priority = apns_priority === 10 ? 'high' : 'normal';
  return { device, push: { token, appId, priority, pushType, payload: request.payload } };
}
