import { readRealm } from '#features/realms';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { NoActiveDevice, PushNotConfigured, UnknownToken } from './errors.ts';
import { askGateway, assertAccepted } from './gateway.ts';
import { listTokens } from './legacy/queries.ts';
import { userUuid } from './legacy/token.ts';
import { listDevices } from './queries.ts';
import { MAX_PARCELS, sendParcels } from './send.ts';
import type { DeviceId } from './tables.ts';

/** Shows something on the caller's devices, or on one of them. See protocol/push#devices. */
export async function tryDevices(
  context: Context,
  realm: RealmRef,
  actor: Actor,
  only: DeviceId | undefined,
): Promise<void> {
  if (!context.pushGateway) throw PushNotConfigured();
  const devices = await context.store.query((tx) => listDevices(tx, realm.id, actor.userId));
  const active = devices.filter(({ id, push_token_id }) => push_token_id !== null && (only ?? id) === id);
  if (active.length === 0) throw NoActiveDevice();
  const payload = { type: 'test', user_id: actor.userId, ...aboutRealm(context, realm), time: context.clock.now() };
  const parcels = active.slice(-MAX_PARCELS).map((device) => ({ device, payload, priority: 'high' as const }));
  assertAccepted(await sendParcels(context, realm.id, parcels));
}

/** Shows something on the caller's older devices, or on one of them. See protocol/push#devices. */
export async function tryTokens(
  context: Context,
  realm: RealmRef,
  actor: Actor,
  only: string | undefined,
): Promise<void> {
  const all = await context.store.query((tx) => listTokens(tx, realm.id, actor.userId));
  const tokens = all.filter(({ token }) => (only ?? token) === token).map(({ kind, token }) => ({ kind, token }));
  if (only !== undefined && tokens.length === 0) throw UnknownToken();
  if (!context.pushGateway || tokens.length === 0) return;
  const { uuid } = await context.store.query((tx) => readRealm(tx, realm.id));
  const json = { realm_uuid: uuid, user_uuid: userUuid(uuid, actor.userId), tokens, ...aboutRealm(context, realm) };
  assertAccepted(await askGateway(context, '/test_notification', { json }));
}

/** How notifications say where they come from. */
function aboutRealm(context: Pick<Context, 'realmUrl'>, realm: Pick<RealmRef, 'name' | 'subdomain'>) {
  return { realm_name: realm.name, realm_url: context.realmUrl(realm) };
}
