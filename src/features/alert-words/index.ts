import { slice } from '#kernel/slice';
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
});

export { applyAlertWordsEvent } from './apply.ts';
export { watchedWords } from './watching.ts';
