import { applier, slice } from '#kernel/slice';
import { applySnippetEvent } from './apply.ts';
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
  applies: [applier(['saved_snippets'], ['saved_snippets'], applySnippetEvent)],
});
