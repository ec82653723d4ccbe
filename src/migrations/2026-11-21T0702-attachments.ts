import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Uploaded files, what uses them, and how much room they take. */
export const attachments = defineMigration('2026-11-21T0702-attachments', async (m) => {
  await m.createTable(
    'attachment',
    {
      id: { type: 'id' },
      realm_id: int,
      owner_id: int,
      name: text,
      path_id: text,
      size: int,
      content_type: text,
      create_time: int,
      unused_since: { type: 'int', nullable: true },
      image: { type: 'text', nullable: true },
    },
    { unique: [['path_id']], indexes: [['realm_id', 'owner_id'], ['unused_since']] },
  );
  await m.createTable(
    'attachment_use',
    { realm_id: int, attachment_id: int, message_id: int },
    { primaryKey: ['attachment_id', 'message_id'], indexes: [['message_id']] },
  );
  await m.createTable('upload_usage', { realm_id: int, used_bytes: int }, { primaryKey: ['realm_id'] });
});
