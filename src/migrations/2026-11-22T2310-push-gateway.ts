import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const bool = { type: 'bool' } as const;

/** Servers, organizations and phones of a push gateway. */
export const pushGatewayMigration = defineMigration('2026-11-22T2310-push-gateway', async (m) => {
  await m.createTable(
    'gateway_server',
    {
      id: { type: 'id' },
      uuid: text,
      key_hash: text,
      hostname: text,
      contact_email: text,
      is_deactivated: bool,
      created_at: int,
      seen_at: int,
      last_realm_count_id: int,
      last_installation_count_id: int,
      last_realmauditlog_id: int,
    },
    { unique: [['uuid'], ['hostname']] },
  );
  await m.createTable(
    'gateway_realm',
    { uuid: text, server_id: int, owner_hash: text, host: text, name: text, is_deactivated: bool },
    { unique: [['uuid']], indexes: [['server_id']] },
  );
  await m.createTable(
    'gateway_device',
    {
      id: { type: 'id' },
      server_id: int,
      realm_uuid: text,
      owner: text,
      token_id: text,
      kind: text,
      token: text,
      app_id: { type: 'text', nullable: true },
    },
    { unique: [['server_id', 'realm_uuid', 'owner', 'kind', 'token_id']] },
  );
});
