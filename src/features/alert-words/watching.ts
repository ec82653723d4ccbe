import { realmCache } from '#kernel/events';
import { alertWords } from '#kernel/markdown';
import { listWordsOfAll } from './queries.ts';

/** The words that all readers of a realm watch for, ready to be looked for; arranged once per change of the words. */
export const watchedWords = realmCache({
  endedBy: ['alert_words'],
  read: async (tx) => alertWords(await listWordsOfAll(tx)),
});
