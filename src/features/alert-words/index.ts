import { applier, slice } from '#kernel/slice';
import { applyAlertWordsEvent } from './apply.ts';
import { alertWordEndpoints } from './endpoints.ts';
import { alertWordsChanged } from './events.ts';
import { alertWordsState } from './state.ts';
import { alertWord } from './tables.ts';

export const alertWordsSlice = slice({
  name: 'alert-words',
  tables: [alertWord],
  endpoints: alertWordEndpoints,
  events: [alertWordsChanged],
  state: [alertWordsState],
  applies: [applier(['alert_words'], ['alert_words'], applyAlertWordsEvent)],
});

export { watchedWords } from './queries.ts';
