import { deviceKeyEnded } from '#features/device-keys';
import { keyEnded } from '#features/users';
import { type Actor, deviceKeyOf, findSession } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { parsePushKeys } from '#kernel/secretbox';
import { on } from '#kernel/slice';
import { deliver, recordResults } from './deliver.ts';
import { InvalidEndpoint, InvalidSubscriptionKeys, NotTaken, SubscriptionMissing } from './errors.ts';
import { deleteSubscriptions, listSubscriptions, putSubscription } from './queries.ts';
import { endpointHash, type Given, sealTarget } from './sealed.ts';
import type { SubscriptionId, SubscriptionKind } from './tables.ts';

/** Most subscriptions of a person; a further one replaces the oldest. See protocol/push#subscriptions. */
const MAX_SUBSCRIPTIONS = 50;

/** A requested subscription. */
interface Asked extends Given {
  readonly kind: SubscriptionKind;
  readonly name: string;
  /** Token of the browser's session; undefined for an app with a key. */
  readonly sessionToken: string | undefined;
}

/** Stores a subscription of the caller. See protocol/push#subscriptions. */
export async function addSubscription(context: Context, actor: Actor, asked: Asked): Promise<SubscriptionId> {
  const { realmId, userId } = actor;
  const { kind, endpoint, name, sessionToken } = asked;
  if (!isEndpoint(endpoint)) throw InvalidEndpoint();
  if (!parsePushKeys(asked.p256dh, asked.auth)) throw InvalidSubscriptionKeys();
  const sealed = sealTarget(context.server.secret, asked);
  return context.store.of(realmId).write(async (tx) => {
    const session = sessionToken === undefined ? undefined : await findSession(tx, sessionToken);
    const called = name === '' ? (session?.client ?? '') : name;
    const row = {
      realm_id: realmId,
      user_id: userId,
      kind,
      name: called,
      sealed,
      endpoint_hash: endpointHash(endpoint),
    };
    const id = await putSubscription(tx, {
      ...row,
      session_id: session?.id ?? null,
      device_key_id: deviceKeyOf(actor),
    });
    const all = await listSubscriptions(tx, userId);
    const doomed = all.slice(0, -MAX_SUBSCRIPTIONS).map((one) => one.id);
    if (doomed.length > 0) await deleteSubscriptions(tx, userId, doomed);
    return id;
  });
}

/** Ends a subscription of the caller. See protocol/push#subscriptions. */
export async function removeSubscription(
  context: Context,
  { realmId, userId }: Actor,
  id: SubscriptionId,
): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    if ((await deleteSubscriptions(tx, userId, [id])) === 0) throw SubscriptionMissing();
  });
}

/** Whether a text may be the address of a push service; each request checks where it leads. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Seconds for which a push service keeps a test notification. */
const TTL_SECONDS = 60;

/** Sends a test notification to one of the caller's subscriptions. See protocol/push#subscriptions. */
export async function trySubscription(context: Context, actor: Actor, id: SubscriptionId): Promise<void> {
  const [subscription] = await context.store.as(actor).query((tx) => listSubscriptions(tx, actor.userId, id));
  if (!subscription) throw SubscriptionMissing();
  const about = { realm_name: actor.realm.name, realm_url: actor.realm.url };
  const text = JSON.stringify({ type: 'test', ...about, user_id: actor.userId, time: context.clock.now() });
  const results = await deliver(context, [{ subscription, text, urgency: 'high', ttl: TTL_SECONDS }]);
  await context.store.as(actor).write((tx) => recordResults(context, tx, results));
  if (!results.every(({ outcome }) => outcome.kind === 'delivered')) throw NotTaken();
}

/**
 * Deletes subscriptions when the user's key ends: browsers and apps show nothing more until they sign in again. See
 * protocol/push#subscriptions.
 */
export const onKeyEnded = on(keyEnded, async (tx, { userId }) => {
  await deleteSubscriptions(tx, userId);
});

/** Deletes the subscriptions of an app whose key was revoked. */
export const onDeviceKeyEnded = on(deviceKeyEnded, async (tx, { userId, keyId }) => {
  const ended = (await listSubscriptions(tx, userId)).filter((one) => one.device_key_id === keyId);
  if (ended.length === 0) return;
  await deleteSubscriptions(
    tx,
    userId,
    ended.map(({ id }) => id),
  );
});
