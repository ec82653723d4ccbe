import { endpoint, humans, optional, raw } from '#kernel/endpoint';
import { matching, text } from '#kernel/schema';
import * as errors from './errors.ts';
import { tryTokens } from './trial.ts';
import { addToken, removeToken } from './legacy/index.ts';

/** Bundle ID of an app. See protocol/push#older-tokens. */
const APP_ID = /^[.a-zA-Z0-9-]+$/;
const APNS = '/users/me/apns_device_token';
const ANDROID = '/users/me/android_gcm_reg_id';

const token = raw(text(), '1 to 4096 characters.');
const GATEWAY_FAULTS = [errors.AdminActionRequired, errors.GatewayUnreachable, errors.GatewayBroken];

const addApns = endpoint({
  id: 'add-apns-token',
  method: 'POST',
  path: APNS,
  source: 'protocol/push#older-tokens',
  doc: 'Stores the token of an iOS device. Deprecated; see mobile_push/register.',
  who: humans,
  params: { appid: raw(matching(APP_ID, { max: 255 }), 'Name of the app.'), token },
  returns: {},
  fails: [errors.InvalidTokenLength, errors.InvalidApnsToken],
  async run({ actor, params, context }) {
    await addToken(context, actor, { kind: 'apns', token: params.token, app_id: params.appid });
    return {};
  },
});

const removeApns = endpoint({
  id: 'remove-apns-token',
  method: 'DELETE',
  path: APNS,
  source: 'protocol/push#older-tokens',
  doc: 'Removes the token of an iOS device. Deprecated.',
  who: humans,
  params: { token },
  returns: {},
  fails: [errors.InvalidTokenLength, errors.InvalidApnsToken, errors.NoSuchToken, ...GATEWAY_FAULTS],
  async run({ actor, params, context }) {
    await removeToken(context, actor, 'apns', params.token);
    return {};
  },
});

const addAndroid = endpoint({
  id: 'add-fcm-token',
  method: 'POST',
  path: ANDROID,
  source: 'protocol/push#older-tokens',
  doc: 'Stores the token of an Android device. Deprecated; see mobile_push/register.',
  who: humans,
  params: { token },
  returns: {},
  fails: [errors.InvalidTokenLength],
  async run({ actor, params, context }) {
    await addToken(context, actor, { kind: 'fcm', token: params.token, app_id: null });
    return {};
  },
});

const removeAndroid = endpoint({
  id: 'remove-fcm-token',
  method: 'DELETE',
  path: ANDROID,
  source: 'protocol/push#older-tokens',
  doc: 'Removes the token of an Android device. Deprecated.',
  who: humans,
  params: { token },
  returns: {},
  fails: [errors.InvalidTokenLength, errors.NoSuchToken, ...GATEWAY_FAULTS],
  async run({ actor, params, context }) {
    await removeToken(context, actor, 'fcm', params.token);
    return {};
  },
});

const testNotification = endpoint({
  id: 'test-notify',
  method: 'POST',
  path: '/mobile_push/test_notification',
  source: 'protocol/push#tests',
  doc: "Sends a test notification to the caller's devices with older tokens.",
  who: humans,
  params: { token: optional(raw(text(), 'One device only.')) },
  returns: {},
  fails: [errors.UnknownToken, errors.TokenUnknownToGateway, ...GATEWAY_FAULTS],
  async run({ actor, params, context }) {
    await tryTokens(context, actor, params.token);
    return {};
  },
});

export const tokenEndpoints = [addApns, removeApns, addAndroid, removeAndroid, testNotification];
