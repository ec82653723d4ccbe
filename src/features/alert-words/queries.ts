import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { realmCache } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type AlertWord, alertWords } from '#kernel/markdown';
import { compiled, inChunks, inParts, type RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';

/** The actor's alert words, in the order in which they were added. */
export async function listWords(tx: ActorReadTx): Promise<readonly string[]> {
  const rows = await wordsOf(tx, tx.actor.userId);
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

function listWordsOfAll(tx: RealmReadTx): Promise<readonly AlertWord[]> {
  return tx.db.selectFrom('alert_word').select(['user_id', 'word']).where('realm_id', '=', tx.realmId).execute();
}

const INSERT_CHUNK = 1000;

export async function insertWords(tx: ActorWriteTx, words: readonly string[]): Promise<void> {
  const { realmId: realm_id, userId: user_id } = tx.actor;
  for (const chunk of inChunks(words, INSERT_CHUNK)) {
    const rows = chunk.map((word) => ({ realm_id, user_id, word, word_key: foldCase(word) }));
    await tx.db.insertInto('alert_word').values(rows).execute();
  }
}

/** Deletes words of the actor, ignoring case; returns how many there were. */
export async function deleteWords(tx: ActorWriteTx, words: readonly string[]): Promise<number> {
  if (words.length === 0) return 0;
  const { numDeletedRows } = await tx.db
    .deleteFrom('alert_word')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where(tx.dialect.anyOfText('word_key', words.map(foldCase)))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Words that are prepared before other requests are served. */
const WATCHED_AT_ONCE = 2_500;

/** The alert words of everybody in the organization, prepared for searching; rebuilt when any of them changes. */
export const watchedWords = realmCache({
  endedBy: ['alert_words'],
  read: async (tx) => {
    const watched = alertWords([]);
    await inParts(await listWordsOfAll(tx), WATCHED_AT_ONCE, async (some) => watched.add(some));
    return watched;
  },
});
