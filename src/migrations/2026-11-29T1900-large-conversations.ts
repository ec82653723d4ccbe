import { defineMigration } from '#kernel/store';

/** Conversations of more people than an index of PostgreSQL takes: there, their key is found by its hash. */
export const largeConversations = defineMigration(
  '2026-11-29T1900-large-conversations',
  (m) =>
    m.byDialect({
      sqlite: [],
      postgres: [
        'create unique index recipient_realm_id_participants_hash on recipient (realm_id, sha256(participants_key::bytea))',
        'drop index recipient_realm_id_participants_key',
      ],
    }),
  'both indexes allow the same rows; the release before only finds direct conversations more slowly',
);
