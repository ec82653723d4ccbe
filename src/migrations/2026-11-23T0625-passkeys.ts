import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Passkeys, several for a person. */
export const passkeysMigration = defineMigration('2026-11-23T0625-passkeys', async (m) => {
  await m.createTable(
    'passkey',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      credential_id: text,
      public_key: text,
      use_count: int,
      transports: text,
      name: text,
      created_at: int,
      last_used_at: { type: 'int', nullable: true },
    },
    { unique: [['realm_id', 'credential_id']], indexes: [['realm_id', 'user_id']] },
  );
});
