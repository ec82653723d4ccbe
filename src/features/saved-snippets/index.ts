import { slice } from '#kernel/slice';
import { snippetEndpoints } from './endpoints.ts';
import { snippetEvents } from './events.ts';
import { snippetState } from './state.ts';
import { savedSnippet } from './tables.ts';

export const savedSnippets = slice({
  name: 'saved-snippets',
  tables: [savedSnippet],
  endpoints: snippetEndpoints,
  events: snippetEvents,
  state: [snippetState],
});

export { applySnippetEvent } from './apply.ts';
