import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Words that readers watch for. */
export const alertWords = defineMigration('2026-11-21T0910-alert-words', async (m) => {
  await m.createTable(
    'alert_word',
    { id: { type: 'id' }, realm_id: int, user_id: int, word: text, word_key: text },
    { unique: [['user_id', 'word_key']], indexes: [['realm_id', 'id']] },
  );
});
