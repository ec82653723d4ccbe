import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DeviceId = Id<'Device'>;
/** The two services that reach phones. See protocol/push#registering. */
export type TokenKind = 'fcm' | 'apns';

/** When the push service took something for a phone last; since when it took nothing, and why, null while all is well. */
function outcomes() {
  return { delivered_at: col.intOrNull(), failing_since: col.intOrNull(), failure: col.textOrNull() };
}

/** Clients that people signed in with, and how push notifications reach them. See protocol/push#registering. */
export const pushDevice = table('push_device', {
  id: col.id<DeviceId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** Base64 of the kind and the key, as the client sent it; the number is what the client calls it. */
  push_key: col.textOrNull(),
  push_key_id: col.intOrNull(),
  /** The token the service accepted, and the one it was asked to accept. */
  push_token_id: col.textOrNull(),
  pending_push_token_id: col.textOrNull(),
  /** Of the token that was asked for last, and of the one that was accepted. */
  push_token_kind: col.textOrNull<TokenKind>(),
  push_token_last_updated_timestamp: col.intOrNull(),
  push_registration_error_code: col.textOrNull(),
  ...outcomes(),
});
export type DeviceRow = SelectOf<typeof pushDevice>;

/**
 * Tokens of clients that know nothing of keys: the service reads what it forwards to them. See protocol/push#devices.
 */
export const pushToken = table('push_token', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  kind: col.text<TokenKind>(),
  token: col.text(),
  /** SHA-256 of the token, in Base64: tokens are too long for an index. */
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
