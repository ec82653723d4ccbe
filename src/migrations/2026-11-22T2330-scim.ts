import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Tokens of directories that manage accounts, and what these say of accounts and groups. */
export const scimMigration = defineMigration('2026-11-22T2330-scim', async (m) => {
  await m.createTable(
    'scim_token',
    {
      id: { type: 'id' },
      realm_id: int,
      name: text,
      token_hash: text,
      created_at: int,
      last_used_at: { type: 'int', nullable: true },
    },
    { unique: [['token_hash']], indexes: [['realm_id']] },
  );
  await m.createTable(
    'scim_resource',
    {
      realm_id: int,
      kind: text,
      resource_id: int,
      external_id: { type: 'text', nullable: true },
      is_deleted: { type: 'bool' },
    },
    { primaryKey: ['realm_id', 'kind', 'resource_id'], indexes: [['realm_id', 'kind', 'external_id']] },
  );
});
