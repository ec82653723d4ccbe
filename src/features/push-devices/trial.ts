import { readRealm } from '#features/realms';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { NoActiveDevice, PushNotConfigured, UnknownToken } from './errors.ts';
import { askGateway, assertAccepted } from './gateway.ts';
import { identityOf, KIND_NUMBER, listTokens, toSentToken } from './legacy/index.ts';
import { listDevices } from './queries.ts';
import { MAX_PARCELS, sendParcels } from './send.ts';
import type { DeviceId } from './tables.ts';

/** Sends a test notification to the caller's devices, or to one of them. See protocol/push#devices. */
export async function tryDevices(context: Context, actor: Actor, only: DeviceId | undefined): Promise<void> {
  if (!context.pushGateway) throw PushNotConfigured();
  const devices = await context.store.as(actor).query((tx) => listDevices(tx, actor.userId));
  const active = devices.filter(({ id, push_token_id }) => push_token_id !== null && (only ?? id) === id);
  if (active.length === 0) throw NoActiveDevice();
  const payload = {
    type: 'test',
    user_id: actor.userId,
    ...aboutRealm(actor.realm),
    time: context.clock.now(),
  };
  const parcels = active.slice(-MAX_PARCELS).map((device) => ({ device, payload, priority: 'high' as const }));
  assertAccepted((await sendParcels(context, actor.realmId, parcels)).answer);
}

/** Most older devices that are tested at once. */
const MAX_TRIED = 20;

/** Sends a test notification to the caller's older devices, or to one of them. See protocol/push#devices. */
export async function tryTokens(context: Context, actor: Actor, only: string | undefined): Promise<void> {
  const all = await context.store.as(actor).query((tx) => listTokens(tx, actor.userId));
  const tokens = all.filter(({ token }) => (only ?? token) === token);
  if (only !== undefined && tokens.length === 0) throw UnknownToken();
  if (!context.pushGateway) return;
  const { uuid } = await context.store.as(actor).query((tx) => readRealm(tx));
  const { realm_name, realm_url } = aboutRealm(actor.realm);
  const server = new URL(context.server.externalUrl).host;
  const place = { server, realm_id: actor.realmId, realm_uri: realm_url, realm_url, realm_name };
  // One request at a time, as the service requires; nobody has many devices.
  for (const { kind, token } of tokens.slice(-MAX_TRIED)) {
    const about = { token: toSentToken(kind, token), token_kind: KIND_NUMBER[kind] };
    const base_payload = { ...place, user_id: actor.userId };
    const json = { ...identityOf(uuid, actor.userId), ...about, base_payload };
    assertAccepted(await askGateway(context, '/push/test_notification', { json }));
  }
}

/** The organization's name and URL, as members of notifications. */
export function aboutRealm(realm: RealmRef) {
  return { realm_name: realm.name, realm_url: realm.url };
}
