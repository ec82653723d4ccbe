import { event } from '#kernel/events';
import { idOf } from '#kernel/schema';
import type { SnippetId } from './tables.ts';
import { wireSnippet } from './wire.ts';

/** The owner saved a snippet. Contract operations 4.15. */
export const snippetAdded = event({
  type: 'saved_snippets',
  op: 'add',
  source: 'contract operations 4.15',
  payload: { saved_snippet: wireSnippet },
});

/** The owner changed a snippet. Contract operations 4.16. */
export const snippetUpdated = event({
  type: 'saved_snippets',
  op: 'update',
  source: 'contract operations 4.16',
  payload: { saved_snippet: wireSnippet },
});

/** The owner threw a snippet away. Contract operations 5.6. */
export const snippetRemoved = event({
  type: 'saved_snippets',
  op: 'remove',
  source: 'contract operations 5.6',
  payload: { saved_snippet_id: idOf<SnippetId>() },
});

export const snippetEvents = [snippetAdded, snippetUpdated, snippetRemoved];
