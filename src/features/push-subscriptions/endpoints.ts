import { endpoint, humans, path, raw, withDefault } from '#kernel/endpoint';
import { idOf, list, oneOf, str, text } from '#kernel/schema';
import { vapidKeysOf } from '#kernel/secretbox';
import { addSubscription, removeSubscription, trySubscription } from './actions.ts';
import * as errors from './errors.ts';
import { listSubscriptions } from './queries.ts';
import type { SubscriptionId } from './tables.ts';
import { toWireSubscription, wireSubscription } from './wire.ts';

/** Longest address and name, in characters. See protocol/push#subscriptions. */
const MAX_ENDPOINT = 2_048;
const MAX_NAME = 100;
/** Longest key as Base64. */
const MAX_KEY = 100;

const subscription_id = path(idOf<SubscriptionId>());

const getSubscriptions = endpoint({
  id: 'get-push-subscriptions',
  method: 'GET',
  path: '/push_subscriptions',
  source: 'protocol/push#subscriptions',
  doc: "The caller's push subscriptions, and the server's public key for making one.",
  who: humans,
  params: {},
  returns: { vapid_public_key: str(), subscriptions: list(wireSubscription) },
  async run({ actor, realm, context }) {
    const rows = await context.store.in(realm).query((tx) => listSubscriptions(tx, actor.userId));
    return {
      vapid_public_key: vapidKeysOf(context.server.secret).publicKey,
      subscriptions: rows.map(toWireSubscription),
    };
  },
});

const createSubscription = endpoint({
  id: 'add-push-subscription',
  method: 'POST',
  path: '/push_subscriptions',
  source: 'protocol/push#subscriptions',
  doc: 'Adds a push subscription, by which the caller is notified.',
  who: humans,
  params: {
    kind: withDefault(raw(oneOf('web', 'unifiedpush'), 'Who made it.'), 'web'),
    endpoint: raw(text({ max: MAX_ENDPOINT }), 'Address at the push service; https.'),
    p256dh: raw(text({ max: MAX_KEY }), 'Public key, in URL-safe Base64.'),
    auth: raw(text({ max: MAX_KEY }), 'Secret of 16 bytes, in URL-safe Base64.'),
    name: withDefault(raw(text({ line: true, trim: true, max: MAX_NAME }), 'What the owner calls it.'), ''),
  },
  returns: { id: idOf<SubscriptionId>() },
  fails: [errors.InvalidEndpoint, errors.InvalidSubscriptionKeys],
  async run({ actor, params, context, request: { sessionToken } }) {
    return { id: await addSubscription(context, actor, { ...params, sessionToken }) };
  },
});

const deleteSubscription = endpoint({
  id: 'remove-push-subscription',
  method: 'DELETE',
  path: '/push_subscriptions/{subscription_id}',
  source: 'protocol/push#subscriptions',
  doc: 'Removes a push subscription of the caller.',
  who: humans,
  params: { subscription_id },
  returns: {},
  fails: [errors.SubscriptionMissing],
  async run({ actor, params, context }) {
    await removeSubscription(context, actor, params.subscription_id);
    return {};
  },
});

const testSubscription = endpoint({
  id: 'test-push-subscription',
  method: 'POST',
  path: '/push_subscriptions/{subscription_id}/test',
  source: 'protocol/push#subscriptions',
  doc: 'Sends a test notification to a push subscription of the caller.',
  who: humans,
  params: { subscription_id },
  returns: {},
  fails: [errors.SubscriptionMissing, errors.NotTaken],
  async run({ actor, params, context }) {
    await trySubscription(context, actor, params.subscription_id);
    return {};
  },
});

export const pushSubscriptionEndpoints = [getSubscriptions, createSubscription, deleteSubscription, testSubscription];
