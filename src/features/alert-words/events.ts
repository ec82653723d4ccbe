import { event } from '#kernel/events';
import { list, str } from '#kernel/schema';

/** Somebody watches for other words now; all of them. See protocol/events#own-data. */
export const alertWordsChanged = event({
  type: 'alert_words',
  source: 'protocol/events#own-data',
  payload: { alert_words: list(str()) },
});
