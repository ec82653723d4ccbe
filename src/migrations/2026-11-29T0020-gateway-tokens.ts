import { defineMigration } from '#kernel/store';

/** Phones of a push gateway are found by their tokens, without reading those of a whole organization or of all servers. */
export const gatewayTokens = defineMigration('2026-11-29T0020-gateway-tokens', (m) =>
  m.createIndex('gateway_device', ['token_id', 'server_id', 'realm_uuid']),
);
