import type { Context } from '#kernel/context';
import type { PageResponse } from '#kernel/endpoint';
import { lookUp } from '#kernel/lists';
import { bool, dict, int, json, lenientObject, list, maybe, oneOf, oneOfNumbers, readAs, str } from '#kernel/schema';
import { deliverAll, type Parcel, type Result } from './deliver.ts';
import { deleteOldest, deleteOwned, insertDevice, listByOwners } from './queries.ts';
import { accept, badRequest, Refused } from './reading.ts';
import { assertRoomForPhone, type Caller } from './room.ts';
import { APP_ID, findOwnRealm, tokenIdOf } from './sealed.ts';
import type { Push, Senders } from './senders.ts';
import type { GatewayDevice, GatewayServer, PushProvider } from './tables.ts';

const KINDS: Readonly<Record<string, PushProvider>> = { '1': 'apns', '2': 'fcm' };

type Form = ReadonlyMap<string, string>;

/** The identifiers by which registrations may name the person of a request. */
function ownersOf(uuid: string | undefined, id: string | undefined): readonly string[] {
  const owners = [uuid ?? '', id ?? ''].filter((owner) => owner !== '');
  if (owners.length === 0) throw badRequest('Missing user_id or user_uuid');
  return owners.map((owner) => owner.slice(0, 100));
}

const ownersIn = (form: Form) => ownersOf(form.get('user_uuid'), form.get('user_id'));

function tokenIn(form: Form): { readonly kind: PushProvider; readonly token: string } {
  const [token, kind] = [form.get('token') ?? '', lookUp(KINDS, form.get('token_kind') ?? '')];
  if (!kind) throw badRequest('Invalid token type');
  if (token === '' || token.length > 4096) throw badRequest('Empty or invalid length token');
  if (kind === 'apns' && !/^(?:[0-9a-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token');
  return { kind, token };
}

/** Most phones with older apps of a person, more than a server has of one; a further one replaces the oldest. */
const MAX_PHONES = 200;

/** Stores the phone of a person whose app has no keys. docs/push-gateway.md, "Older apps". */
export async function registerOlder(context: Context, server: Caller, form: Form): Promise<PageResponse> {
  const { kind, token } = tokenIn(form);
  const app_id = form.get('ios_app_id') ?? null;
  if (kind === 'apns' && app_id === null) throw badRequest('Missing ios_app_id');
  if (app_id !== null && !APP_ID.test(app_id)) throw badRequest('ios_app_id has invalid format');
  const [owner = '', ...others] = ownersIn(form);
  await assertNotOfOthers(context, server, form.get('realm_uuid'));
  const row = { server_id: server.id, realm_uuid: '', owner, token_id: tokenIdOf(token), kind, token, app_id };
  await assertRoomForPhone(context, server, row);
  await context.store.write(async (tx) => {
    await deleteOwned(tx, server.id, others, { kind, tokenId: row.token_id });
    await insertDevice(tx, row);
    await deleteOldest(tx, row, MAX_PHONES);
  });
  return accept();
}

/** Deletes one phone of a person. */
export async function unregisterOlder(context: Context, server: GatewayServer, form: Form): Promise<PageResponse> {
  const { kind, token } = tokenIn(form);
  const owners = ownersIn(form);
  const one = { kind, tokenId: tokenIdOf(token) };
  const count = await context.store.write((tx) => deleteOwned(tx, server.id, owners, one));
  if (count === 0) throw badRequest('Token does not exist');
  return accept();
}

/** Deletes all phones of a person. */
export async function unregisterAll(context: Context, server: GatewayServer, form: Form): Promise<PageResponse> {
  const owners = ownersIn(form);
  await context.store.write((tx) => deleteOwned(tx, server.id, owners));
  return accept();
}

/** Throws if a request names another server's organization; an unknown organization is allowed. */
async function assertNotOfOthers(context: Context, server: GatewayServer, uuid: string | undefined): Promise<void> {
  if (uuid !== undefined && uuid !== '') await findOwnRealm(context, server, uuid);
}

const who = { user_id: maybe(int()), user_uuid: maybe(str()), realm_uuid: maybe(str()) };
const tokens = maybe(list(str(), { max: 1000 }));
const notification = lenientObject({
  ...who,
  gcm_payload: maybe(dict(json())),
  apns_payload: maybe(dict(json())),
  gcm_options: maybe(lenientObject({ priority: maybe(oneOf('high', 'normal')) })),
  android_devices: tokens,
  apple_devices: tokens,
  only_these_devices: maybe(bool()),
});

/** Sends a notification to the older apps of a person. */
export async function notifyOlder(
  context: Context,
  server: GatewayServer,
  senders: Senders,
  body: unknown,
): Promise<PageResponse> {
  const read = readAs(notification, body);
  if (!read) throw badRequest('Invalid request');
  await assertNotOfOthers(context, server, read.realm_uuid);
  const owners = ownersOf(read.user_uuid, read.user_id?.toString());
  const all = await context.store.query((tx) => listByOwners(tx, server.id, owners));
  const named = { fcm: read.android_devices ?? [], apns: read.apple_devices ?? [] };
  const wanted = read.only_these_devices ? all.filter(({ kind, token }) => named[kind].includes(token)) : all;
  const priority = read.gcm_options?.priority ?? 'high';
  const parcels = wanted.map((device): Parcel => {
    const payload = device.kind === 'apns' ? toApns(read.apns_payload ?? {}) : toTexts(read.gcm_payload ?? {});
    const pushType = 'alert' in (read.apns_payload ?? {}) ? 'alert' : 'background';
    return { device, push: { token: device.token, appId: device.app_id, priority, payload, pushType } };
  });
  const results = await deliverAll(context, senders, parcels);
  const isKnown = (kind: PushProvider) => {
    const gone = new Set(results.filter(({ outcome }) => outcome === 'gone').map(({ device }) => device.token));
    return new Set(all.filter((device) => device.kind === kind && !gone.has(device.token)).map(({ token }) => token));
  };
  const missing = (kind: PushProvider) => named[kind].filter((token) => !isKnown(kind).has(token));
  return accept({
    total_android_devices: all.filter(({ kind }) => kind === 'fcm').length,
    total_apple_devices: all.filter(({ kind }) => kind === 'apns').length,
    deleted_devices: { android_devices: missing('fcm'), apple_devices: missing('apns') },
    retry_devices: { android_devices: leftOf(results, 'fcm'), apple_devices: leftOf(results, 'apns') },
    realm: { can_push: true, expected_end_timestamp: null },
  });
}

function leftOf(results: readonly Result[], kind: PushProvider): readonly string[] {
  const left = results.filter(({ outcome, device }) => outcome === 'later' && device.kind === kind);
  return left.map(({ device }) => device.token);
}

const trial = lenientObject({
  ...who,
  token: str(),
  token_kind: oneOfNumbers(1, 2),
  base_payload: lenientObject({ realm_name: maybe(str()), realm_url: maybe(str()), realm_uri: maybe(str()) }).catchall(
    json(),
  ),
});

/** Sends a test notification to one phone of a person. */
export async function tryOlder(
  context: Context,
  server: GatewayServer,
  senders: Senders,
  body: unknown,
): Promise<PageResponse> {
  const read = readAs(trial, body);
  if (!read) throw badRequest('Invalid request');
  const owners = ownersOf(read.user_uuid, read.user_id?.toString());
  const all = await context.store.query((tx) => listByOwners(tx, server.id, owners));
  const device = all.find(({ kind, token }) => kind === KINDS[String(read.token_kind)] && token === read.token);
  if (!device) throw new Refused(400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
  await deliverAll(context, senders, [{ device, push: toTrial(device, read.base_payload, context.clock.now()) }]);
  return accept();
}

function toTrial(
  device: GatewayDevice,
  base: { readonly realm_name?: string | undefined; readonly realm_url?: string | undefined },
  time: number,
): Push {
  const { token, app_id: appId, kind } = device;
  const about = { token, appId, priority: 'high' as const };
  const payload = { ...base, event: 'test' };
  if (kind === 'fcm') return { ...about, payload: toTexts({ ...payload, time }) };
  const body = `This is a test notification from ${base.realm_name} (${base.realm_url}).`;
  const alert = { title: 'Test notification', body };
  return { ...about, pushType: 'alert', payload: toApns({ alert, sound: 'default', custom: { zulip: payload } }) };
}

/** Converts a server's alert to Apple's form: the app's own members are beside `aps`. */
function toApns({ custom, ...aps }: Readonly<Record<string, unknown>>): object {
  const isSilent = aps['alert'] === undefined;
  return { ...(typeof custom === 'object' && custom), aps: { ...aps, ...(isSilent && { 'content-available': 1 }) } };
}

/** Converts values to strings, because Google's service accepts nothing else. */
function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    shown.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
