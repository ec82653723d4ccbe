import { event } from '#kernel/events';
import { idOf } from '#kernel/schema';
import type { SnippetId } from './tables.ts';
import { wireSnippet } from './wire.ts';

/** The owner saved a snippet. See protocol/saved#snippets. */
export const snippetAdded = event({
  type: 'saved_snippets',
  op: 'add',
  source: 'protocol/saved#snippets',
  payload: { saved_snippet: wireSnippet },
});

/** The owner changed a snippet. See protocol/saved#snippets. */
export const snippetUpdated = event({
  type: 'saved_snippets',
  op: 'update',
  source: 'protocol/saved#snippets',
  payload: { saved_snippet: wireSnippet },
});

/** The owner deleted a snippet. See protocol/saved#snippets. */
export const snippetRemoved = event({
  type: 'saved_snippets',
  op: 'remove',
  source: 'protocol/saved#snippets',
  payload: { saved_snippet_id: idOf<SnippetId>() },
});

export const snippetEvents = [snippetAdded, snippetUpdated, snippetRemoved];
