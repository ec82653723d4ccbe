import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Keys under which clients sent messages lately: one that is sent again under its key is not stored again. */
export const idempotencyKeys = defineMigration('2026-11-27T1530-idempotency-keys', (m) =>
  m.createTable(
    'idempotency_key',
    { key_hash: { type: 'text' }, realm_id: int, message_id: int, sent_at: int },
    { primaryKey: ['key_hash'], indexes: [['realm_id', 'sent_at']] },
  ),
);
