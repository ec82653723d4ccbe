import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const intOrNull = { type: 'int', nullable: true } as const;

/** When people were last seen, and what they say of themselves. */
export const presenceAndStatus = defineMigration('2026-11-21T0700-presence-and-status', async (m) => {
  await m.createTable(
    'presence',
    { realm_id: int, user_id: int, last_active_at: intOrNull, last_connected_at: int, update_id: int },
    { primaryKey: ['realm_id', 'user_id'], unique: [['realm_id', 'update_id']] },
  );
  await m.createTable('presence_counter', { realm_id: int, newest_update_id: int }, { primaryKey: ['realm_id'] });
  await m.createTable(
    'user_status',
    { realm_id: int, user_id: int, status_text: text, emoji_name: text, emoji_code: text, reaction_type: text },
    { primaryKey: ['realm_id', 'user_id'] },
  );
});
