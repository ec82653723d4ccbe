import { endpoint, everyone, json, lenient, members, optional, path, raw, withDefault } from '#kernel/endpoint';
import { GuestsNotAllowed, ParameterFault } from '#kernel/errors';
import type { ChannelId, UserId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import { anyOf, bool, color, dict, idOf, lenientObject, list, maybe, nullable, oneOf, str, text } from '#kernel/schema';
import { accessAccount, NoSuchUser } from '#features/users';
import { accessChannel, findSubscription } from '../members/index.ts';
import {
  CREATION_ERRORS,
  InvalidChannelId,
  MAX_CHANNEL_DESCRIPTION,
  MAX_PEOPLE,
  placeParams,
  type Principals,
  retentionDays,
  settingParams,
  topicsPolicy,
  UnableToAccessChannel,
  UserIsDeactivated,
} from '../core/index.ts';
import { NO_SETTINGS } from '../creating/index.ts';
import { readSubscriptions, subscribedChannelsOf } from '../listing/index.ts';
import { wireSubscription } from '../wire.ts';
import * as errors from './errors.ts';
import { updateSubscriptions } from './properties.ts';
import { prepareSubscribe, subscribe, type SubscribeInput, subscribePrepared } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

/** Most channels one call may name. */
const MAX_CHANNELS = 1000;

/** Most subscriptions to several channels that one call may make or end. All of them are in one transaction. */
const MAX_SUBSCRIPTIONS = 10_000;

/** Longest email address, in code points. */
const MAX_ADDRESS = 254;

const principals = optional(
  json(
    anyOf(list(idOf<UserId>(), { max: MAX_PEOPLE }), list(text({ max: MAX_ADDRESS }), { max: MAX_PEOPLE })),
    'IDs or addresses; the caller when absent.',
  ),
);
const items = json(
  list(
    lenientObject({
      name: text({ nul: 'allowed' }),
      description: maybe(nullable(text({ max: MAX_CHANNEL_DESCRIPTION }))),
      color: maybe(nullable(color())),
    }),
    { max: MAX_CHANNELS },
  ),
);
const names = list(text({ nul: 'allowed' }), { max: MAX_CHANNELS });

const subscribed = { subscribed: dict(list(str())), already_subscribed: dict(list(str())) };
const removed = { removed: list(str()), not_removed: list(str()) };

const SUBSCRIBE_ERRORS = [...CREATION_ERRORS, UnableToAccessChannel, NoSuchUser, UserIsDeactivated];

const subscribeEndpoint = endpoint({
  id: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  source: 'protocol/subscriptions#subscribing',
  doc: 'Subscribes users to channels; channels that do not exist are created.',
  who: members,
  params: {
    announce: withDefault(json(bool()), false),
    authorization_errors_fatal: withDefault(json(bool()), true),
    ...settingParams,
    ...placeParams,
    is_default_stream: withDefault(json(bool()), false),
    is_web_public: withDefault(json(bool()), false),
    message_retention_days: withDefault(retentionDays, 'realm_default'),
    principals,
    send_new_subscription_messages: withDefault(json(bool()), true),
    subscriptions: items,
    topics_policy: withDefault(topicsPolicy, 'inherit' as const),
  },
  returns: {
    ...subscribed,
    unauthorized: maybe(list(str())),
    new_subscription_messages_sent: maybe(bool()),
  },
  fails: SUBSCRIBE_ERRORS,
  run: ({ actor, params, context }) => {
    assertFew(params);
    return subscribe(context, actor, params);
  },
});

const unsubscribeEndpoint = endpoint({
  id: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  source: 'protocol/subscriptions#unsubscribing',
  doc: 'Unsubscribes the caller, or others, from channels.',
  who: everyone,
  params: { principals, subscriptions: json(names, 'Names of channels.') },
  returns: removed,
  fails: [errors.ChannelsMissing, NoSuchUser],
  run: ({ actor, params, context }) => {
    assertFew(params);
    return context.store
      .as(actor)
      .write((tx) => unsubscribe(context, tx, { names: params.subscriptions, principals: params.principals }));
  },
});

/** Throws if a call names too many channels for its number of people. See protocol/subscriptions#subscribing. */
function assertFew(call: { readonly subscriptions: readonly unknown[]; readonly principals: Principals }): void {
  const most = Math.max(1, Math.floor(MAX_SUBSCRIPTIONS / Math.max(1, call.principals?.length ?? 1)));
  if (call.subscriptions.length > most)
    throw ParameterFault({ fault: `subscriptions is too long (limit: ${most} values)` });
}

/** Subscribing the caller with nothing chosen: what PATCH does with its `add`. */
const PLAIN: Omit<SubscribeInput, 'subscriptions'> = {
  announce: false,
  authorization_errors_fatal: true,
  principals: undefined,
  send_new_subscription_messages: false,
  folder_id: undefined,
  history_public_to_subscribers: undefined,
  invite_only: false,
  is_default_stream: false,
  is_web_public: false,
  message_retention_days: 'realm_default',
  topics_policy: 'inherit',
  ...NO_SETTINGS,
};

const updateSubscriptionsEndpoint = endpoint({
  id: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  source: 'protocol/subscriptions#unsubscribing',
  doc: 'Subscribes the caller to channels and unsubscribes them from others, in one transaction.',
  who: everyone,
  params: { add: withDefault(items, []), delete: withDefault(json(names), []) },
  returns: { ...subscribed, ...removed },
  fails: [errors.NothingToDo, errors.ChannelsMissing, ...SUBSCRIBE_ERRORS],
  async run({ actor, realm, params, context }) {
    if (params.add.length === 0 && params.delete.length === 0) throw errors.NothingToDo();
    if (params.add.length > 0 && isGuest(actor)) throw GuestsNotAllowed();
    const prepared = await prepareSubscribe(context, realm, { ...PLAIN, subscriptions: params.add });
    return context.store.as(actor).write(async (tx) => {
      const joined =
        params.add.length > 0
          ? await subscribePrepared(context, tx, prepared)
          : { subscribed: {}, already_subscribed: {} };
      const input = { names: params.delete, principals: undefined };
      const left = params.delete.length > 0 ? await unsubscribe(context, tx, input) : { removed: [], not_removed: [] };
      return { ...joined, ...left };
    });
  },
});

const listSubscriptionsEndpoint = endpoint({
  id: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  source: 'protocol/subscriptions#listing',
  doc: "The caller's channels.",
  who: everyone,
  mayBeLarge: true,
  params: { include_subscribers: withDefault(lenient(anyOf(bool(), oneOf('partial', 'true', 'false'))), false) },
  returns: { subscriptions: list(wireSubscription) },
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const word = String(params.include_subscribers);
      const include_subscribers = word === 'partial' || word === 'true' ? word : 'false';
      const view = { archived_channels: false, include_subscribers, notification_settings_null: true } as const;
      const { subscriptions } = await readSubscriptions({ tx, view });
      return { subscriptions };
    }),
});

const PROPERTY_ERRORS = [
  InvalidChannelId,
  errors.UnknownProperty,
  errors.NotBoolean,
  errors.NotColor,
  errors.NotSubscribed,
];

const updateProperties = endpoint({
  id: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  source: 'protocol/subscriptions#own-properties',
  doc: "Changes personal properties of the caller's subscriptions.",
  who: everyone,
  params: {
    subscription_data: json(
      list(lenientObject({ stream_id: idOf<ChannelId>(), property: text(), value: anyOf(bool(), text()) }), {
        max: MAX_CHANNELS,
      }),
    ),
  },
  returns: {},
  fails: PROPERTY_ERRORS,
  async run({ actor, params, context }) {
    await updateSubscriptions(context, actor, params.subscription_data);
    return {};
  },
});

const updateProperty = endpoint({
  id: 'update-subscription-property',
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  source: 'protocol/subscriptions#own-properties',
  doc: "Changes one personal property of one of the caller's subscriptions.",
  who: everyone,
  params: {
    stream_id: path(idOf<ChannelId>()),
    property: raw(text()),
    value: lenient(anyOf(bool(), text())),
  },
  returns: {},
  fails: PROPERTY_ERRORS,
  async run({ actor, params, context }) {
    await updateSubscriptions(context, actor, [params]);
    return {};
  },
});

const getStatus = endpoint({
  id: 'get-subscription-status',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  source: 'protocol/users#operations',
  doc: 'Whether a user is subscribed to a channel.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()), stream_id: path(idOf<ChannelId>()) },
  returns: { is_subscribed: bool() },
  fails: [NoSuchUser, InvalidChannelId],
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const user = await accessAccount(tx, params.user_id);
      const { channel } = await accessChannel(tx, params.stream_id);
      const subscription = await findSubscription(tx, user.id, channel.id);
      return { is_subscribed: subscription?.is_subscribed ?? false };
    }),
});

const getChannelsOf = endpoint({
  id: 'get-user-channels',
  method: 'GET',
  path: '/users/{user_id}/channels',
  source: 'protocol/users#operations',
  since: 440,
  doc: 'The channels of a user that the caller may know of.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()) },
  returns: { subscribed_channel_ids: list(idOf<ChannelId>()) },
  fails: [NoSuchUser],
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const user = await accessAccount(tx, params.user_id);
      return { subscribed_channel_ids: await subscribedChannelsOf(tx, user.id) };
    }),
});

export const subscriptionEndpoints = [
  subscribeEndpoint,
  unsubscribeEndpoint,
  updateSubscriptionsEndpoint,
  listSubscriptionsEndpoint,
  updateProperties,
  updateProperty,
  getStatus,
  getChannelsOf,
];
