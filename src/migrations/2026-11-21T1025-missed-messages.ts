import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Messages that people who were away are to get by mail. */
export const missedMessages = defineMigration('2026-11-21T1025-missed-messages', async (m) => {
  await m.createTable(
    'missed_message',
    { realm_id: int, user_id: int, message_id: int, reason: { type: 'text' }, due_at: int },
    { primaryKey: ['user_id', 'message_id'], indexes: [['realm_id', 'due_at']] },
  );
});
