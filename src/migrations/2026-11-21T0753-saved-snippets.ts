import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Snippets that people keep. */
export const savedSnippets = defineMigration('2026-11-21T0753-saved-snippets', async (m) => {
  await m.createTable(
    'saved_snippet',
    { id: { type: 'id' }, realm_id: int, user_id: int, title: text, content: text, date_created: int },
    { indexes: [['user_id', 'id']] },
  );
});
