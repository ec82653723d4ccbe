import { endpoint, humans, json, optional, raw } from '#kernel/endpoint';
import { idOf, int, refined, text, transformed } from '#kernel/schema';
import { addDevice, registerPush, removeDevice } from './actions.ts';
import * as errors from './errors.ts';
import type { DeviceId, TokenKind } from './tables.ts';
import { tryDevices } from './trial.ts';

/** Largest number a client may give its key. See protocol/push#registering. */
const MAX_KEY_ID = 2 ** 32 - 1;
const KINDS: readonly string[] = ['fcm', 'apns'] satisfies TokenKind[];

const device_id = json(idOf<DeviceId>());
const keyId = refined(int(), (id) => id >= 0 && id <= MAX_KEY_ID, 'Not a valid unsigned 32-bit integer');
const knownKind = refined(text({ max: 10 }), (kind) => KINDS.includes(kind), 'Not in the list of possible values');
const kind = transformed(knownKind, (word): TokenKind => (word === 'apns' ? 'apns' : 'fcm'));

const registerDevice = endpoint({
  id: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  source: 'protocol/push#devices',
  since: 468,
  doc: 'Registers a client device of the caller.',
  who: humans,
  params: {},
  returns: { device_id: idOf<DeviceId>() },
  async run({ actor, context }) {
    return { device_id: await addDevice(context, actor) };
  },
});

const removeClientDevice = endpoint({
  id: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  source: 'protocol/push#devices',
  since: 470,
  doc: 'Removes a client device of the caller and its push registration.',
  who: humans,
  params: { device_id },
  returns: {},
  fails: [errors.InvalidDevice],
  async run({ actor, params, context }) {
    await removeDevice(context, actor, params.device_id);
    return {};
  },
});

const registerPushDevice = endpoint({
  id: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  source: 'protocol/push#registering',
  since: 406,
  doc: 'Registers a device for encrypted push notifications, or replaces its key or its token.',
  who: humans,
  params: {
    device_id,
    push_key_id: optional(json(keyId, 'What the client calls its key; 0 to 4294967295.')),
    push_key: optional(raw(text(), 'Base64 of the byte 0x31 and a key of 32 bytes.')),
    token_kind: optional(raw(kind)),
    token_id: optional(raw(text(), "Base64 of the first 8 bytes of the token's SHA-256.")),
    bouncer_public_key: optional(raw(text(), 'For the push service: the key it is to decrypt with.')),
    encrypted_push_registration: optional(raw(text(), 'For the push service: the token and what goes with it.')),
  },
  returns: {},
  fails: [
    errors.PushNotConfigured,
    errors.InvalidDevice,
    errors.IncompleteRegistration,
    errors.NoKeyToRotate,
    errors.InvalidPushKey,
    errors.RegistrationInProgress,
    errors.InvalidTokenId,
    errors.NoTokenToRotate,
  ],
  async run({ actor, params: { device_id: device, ...sent }, context }) {
    await registerPush(context, actor, device, sent);
    return {};
  },
});

const testNotification = endpoint({
  id: 'e2ee-test-notification',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  source: 'protocol/push#tests',
  since: 420,
  doc: "Sends an encrypted test notification to the caller's devices.",
  who: humans,
  params: { device_id: optional(device_id) },
  returns: {},
  fails: [
    errors.PushNotConfigured,
    errors.NoActiveDevice,
    errors.AdminActionRequired,
    errors.GatewayUnreachable,
    errors.GatewayBroken,
  ],
  async run({ actor, params, context }) {
    await tryDevices(context, actor, params.device_id);
    return {};
  },
});

export const deviceEndpoints = [registerDevice, removeClientDevice, registerPushDevice, testNotification];
