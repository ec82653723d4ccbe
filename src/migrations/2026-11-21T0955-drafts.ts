import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Messages that their authors have not sent yet. */
export const drafts = defineMigration('2026-11-21T0955-drafts', async (m) => {
  await m.createTable(
    'draft',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      draft_type: text,
      draft_to: { type: 'json' },
      topic: text,
      content: text,
      edited_at: int,
    },
    { indexes: [['user_id', 'edited_at', 'id']] },
  );
});
