import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DeviceId = Id<'Device'>;
/** The two services that deliver to phones. See protocol/push#registering. */
export type TokenKind = 'fcm' | 'apns';

/**
 * When the push service last accepted something for a phone; since when it accepts nothing, and why; null while all is
 * well.
 */
function outcomes() {
  return { delivered_at: col.intOrNull(), failing_since: col.intOrNull(), failure: col.textOrNull() };
}

/** Clients that people signed in with, and their push registrations. See protocol/push#registering. */
export const pushDevice = table('push_device', {
  id: col.id<DeviceId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** The device key with which it was made, and with which it ends; null for others. */
  device_key_id: col.intOrNull(),
  /** Base64 of the kind and the key, as the client sent it; the number is the client's name for it. */
  push_key: col.textOrNull(),
  push_key_id: col.intOrNull(),
  /** The token that the service has accepted, and the one that is waiting for it. */
  push_token_id: col.textOrNull(),
  pending_push_token_id: col.textOrNull(),
  /** The kind of the latest requested token, and the time of the accepted one. */
  push_token_kind: col.textOrNull<TokenKind>(),
  push_token_last_updated_timestamp: col.intOrNull(),
  push_registration_error_code: col.textOrNull(),
  ...outcomes(),
});
export type DeviceRow = SelectOf<typeof pushDevice>;

/** Tokens of clients without keys: the service can read what it forwards to them. See protocol/push#devices. */
export const pushToken = table('push_token', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  device_key_id: col.intOrNull(),
  kind: col.text<TokenKind>(),
  token: col.text(),
  /** SHA-256 of the token, in Base64, because tokens are too long for an index. */
  token_hash: col.text(),
  /** Name of the app; null for Android. */
  app_id: col.textOrNull(),
  ...outcomes(),
});
export type TokenRow = SelectOf<typeof pushToken>;

declare module '#kernel/store' {
  interface Tables {
    push_device: RowOf<typeof pushDevice>;
    push_token: RowOf<typeof pushToken>;
  }
}
