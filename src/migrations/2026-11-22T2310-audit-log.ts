import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** The audit log of each organization, and the end of its chain. */
export const auditLogMigration = defineMigration('2026-11-22T2310-audit-log', async (m) => {
  await m.createTable(
    'audit_entry',
    {
      realm_id: int,
      sequence: int,
      created_at: int,
      action: text,
      actor_kind: text,
      actor_id: intOrNull,
      via: text,
      address: text,
      user_agent: text,
      target_kind: text,
      target_id: intOrNull,
      target_name: textOrNull,
      said_before: textOrNull,
      said_after: textOrNull,
      entry_hash: text,
    },
    {
      primaryKey: ['realm_id', 'sequence'],
      indexes: [
        ['realm_id', 'action', 'sequence'],
        ['realm_id', 'actor_id', 'sequence'],
        ['realm_id', 'target_kind', 'target_id', 'sequence'],
        ['realm_id', 'created_at'],
      ],
    },
  );
  await m.createTable(
    'audit_head',
    { realm_id: int, last_sequence: int, last_hash: text },
    { primaryKey: ['realm_id'] },
  );
});
