import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Verified answers of SAML providers, until the browser that began comes for them. */
export const samlAnswersMigration = defineMigration('2026-11-23T0700-saml-answers', async (m) => {
  await m.createTable(
    'saml_answer',
    { token_hash: text, realm_id: int, provider: text, request_id: text, said: text, expires_at: int },
    { primaryKey: ['token_hash'], indexes: [['expires_at']] },
  );
});
