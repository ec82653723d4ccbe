import { event } from '#kernel/events';
import { list, str } from '#kernel/schema';

/** Somebody watches for other words now; all of them. Contract register 4.4.11. */
export const alertWordsChanged = event({
  type: 'alert_words',
  source: 'contract register 4.4.11',
  payload: { alert_words: list(str()) },
});
