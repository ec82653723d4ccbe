import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Whom identity providers vouch for, and what of theirs was used up. */
export const externalIdentities = defineMigration('2026-11-22T1906-external-identities', async (m) => {
  await m.createTable(
    'external_identity',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      provider: text,
      issuer: text,
      subject: text,
      linked_at: int,
      last_used_at: int,
    },
    { unique: [['realm_id', 'issuer', 'subject']], indexes: [['realm_id', 'user_id']] },
  );
  await m.createTable(
    'spent_token',
    { token_hash: text, realm_id: int, expires_at: int },
    { primaryKey: ['token_hash'], indexes: [['expires_at']] },
  );
});
