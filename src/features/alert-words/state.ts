import { list, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listWords } from './queries.ts';

/** The words that the caller watches for. See protocol/settings#alert-words. */
export const alertWordsState = registerState({
  fetchType: 'alert_words',
  source: 'protocol/settings#alert-words',
  fields: { alert_words: list(str()) },
  read: async ({ tx }) => ({
    alert_words: tx.actor ? await listWords(tx, tx.actor.userId) : [],
  }),
});
