import type { Id } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type GatewayServerId = Id<'GatewayServer'>;

/** Servers that a push gateway serves. docs/push-gateway.md, "An account". */
export const gatewayServer = table('gateway_server', {
  id: col.id<GatewayServerId>(),
  uuid: col.text(),
  /** SHA-256 of the server's key, in Base64. */
  key_hash: col.text(),
  hostname: col.text(),
  contact_email: col.text(),
  is_deactivated: col.bool(),
  created_at: col.int(),
  seen_at: col.int(),
  /** The last reported row of each kind. */
  last_realm_count_id: col.int(),
  last_installation_count_id: col.int(),
  last_realmauditlog_id: col.int(),
});
export type GatewayServer = SelectOf<typeof gatewayServer>;

/** The servers' organizations. */
export const gatewayRealm = table('gateway_realm', {
  uuid: col.text(),
  server_id: col.ref<GatewayServerId>(),
  /** SHA-256 of the secret that proves the organization's identity, in Base64. */
  owner_hash: col.text(),
  host: col.text(),
  name: col.text(),
  is_deactivated: col.bool(),
});

/** The manufacturers' services that deliver to phones. */
export type PushProvider = 'apns' | 'fcm';

/** Registered phones: by organization and `token_id`, or by person for older apps. */
export const gatewayDevice = table('gateway_device', {
  id: col.id<number>(),
  server_id: col.ref<GatewayServerId>(),
  /** The organization; empty for older apps. */
  realm_uuid: col.text(),
  /** The person of an older app: UUID or number; else empty. */
  owner: col.text(),
  /** Base64 of the first 8 bytes of the token's SHA-256. */
  token_id: col.text(),
  kind: col.text<PushProvider>(),
  token: col.text(),
  app_id: col.textOrNull(),
});
export type GatewayDevice = SelectOf<typeof gatewayDevice>;

declare module '#kernel/store' {
  interface Tables {
    gateway_server: RowOf<typeof gatewayServer>;
    gateway_realm: RowOf<typeof gatewayRealm>;
    gateway_device: RowOf<typeof gatewayDevice>;
  }
}
