import { hasActor } from '#kernel/auth';
import { list, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listWords } from './queries.ts';

/** The caller's alert words. See protocol/settings#alert-words. */
export const alertWordsState = registerState({
  fetchType: 'alert_words',
  source: 'protocol/settings#alert-words',
  fields: { alert_words: list(str()) },
  read: async ({ tx }) => ({
    alert_words: hasActor(tx) ? await listWords(tx) : [],
  }),
});
