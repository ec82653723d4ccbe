import { realmCache } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type AlertWord, alertWords } from '#kernel/markdown';
import { compiled, inChunks, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { AlertWordRow } from './tables.ts';

/** The words of one user, in the order in which they were added. */
export async function listWords(tx: RealmReadTx, userId: UserId): Promise<readonly string[]> {
  const rows = await wordsOf(tx, userId);
  return rows.map((row) => row.word);
}

const wordsOf = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('alert_word')
    .select('word')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id'),
);

/** The words of everybody in the organization. */
function listWordsOfAll(tx: RealmReadTx): Promise<readonly AlertWord[]> {
  return tx.db.selectFrom('alert_word').select(['user_id', 'word']).where('realm_id', '=', tx.realmId).execute();
}

const INSERT_CHUNK = 1000;

export async function insertWords(
  tx: WriteTx,
  owner: Pick<AlertWordRow, 'realm_id' | 'user_id'>,
  words: readonly string[],
): Promise<void> {
  for (const chunk of inChunks(words, INSERT_CHUNK)) {
    const rows = chunk.map((word) => ({ ...owner, word, word_key: foldCase(word) }));
    await tx.db.insertInto('alert_word').values(rows).execute();
  }
}

/** Deletes a user's words, whatever their letter case; how many there were. */
export async function deleteWords(tx: RealmWriteTx, userId: UserId, words: readonly string[]): Promise<number> {
  if (words.length === 0) return 0;
  const { numDeletedRows } = await tx.db
    .deleteFrom('alert_word')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where(tx.dialect.anyOfText('word_key', words.map(foldCase)))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The words that all readers of a realm watch for, ready to be looked for; arranged once per change of the words. */
export const watchedWords = realmCache({
  endedBy: ['alert_words'],
  read: async (tx) => alertWords(await listWordsOfAll(tx)),
});
