import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const text = { type: 'text' } as const;

/** Messages to be sent later. */
export const scheduledMessages = defineMigration('2026-11-21T1000-scheduled-messages', async (m) => {
  await m.createTable(
    'scheduled_message',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      channel_id: intOrNull,
      recipient_ids: text,
      topic: text,
      content: text,
      rendered_content: text,
      deliver_at: int,
      is_read_by_sender: { type: 'bool' },
      client: text,
      failed: { type: 'bool' },
      failure: { type: 'text', nullable: true },
      version: int,
      delivered_at: intOrNull,
      message_id: intOrNull,
    },
    { indexes: [['user_id', 'delivered_at', 'deliver_at']] },
  );
});
