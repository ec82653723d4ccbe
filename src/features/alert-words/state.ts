import { list, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listWords } from './queries.ts';

/** The words that the caller watches for. See protocol/settings#alert-words. */
export const alertWordsState = registerState({
  fetchType: 'alert_words',
  source: 'protocol/settings#alert-words',
  fields: { alert_words: list(str()) },
  read: async ({ tx, actor }) => ({
    alert_words: actor ? await listWords(tx, actor.userId) : [],
  }),
});
