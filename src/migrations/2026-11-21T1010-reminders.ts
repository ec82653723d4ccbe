import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Reminders of messages. */
export const reminders = defineMigration('2026-11-21T1010-reminders', async (m) => {
  await m.createTable(
    'reminder',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      message_id: int,
      note: text,
      content: text,
      rendered_content: text,
      deliver_at: int,
      failed: { type: 'bool' },
      delivered_at: { type: 'int', nullable: true },
    },
    { indexes: [['user_id', 'delivered_at', 'deliver_at']] },
  );
});
