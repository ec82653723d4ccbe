import { event } from '#kernel/events';
import { list, str } from '#kernel/schema';

/** A user's alert words changed; carries all of them. See protocol/events#own-data. */
export const alertWordsChanged = event({
  type: 'alert_words',
  source: 'protocol/events#own-data',
  payload: { alert_words: list(str()) },
});
