import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listSnippets } from './queries.ts';
import { toWireSnippet, wireSnippet } from './wire.ts';

/** The caller's snippets. See protocol/register#parameters, protocol/saved#snippets. */
export const snippetState = registerState({
  fetchType: 'saved_snippets',
  source: 'protocol/saved#snippets',
  fields: { saved_snippets: list(wireSnippet) },
  read: async ({ tx }) => ({
    saved_snippets: tx.actor ? (await listSnippets(tx, tx.actor.userId)).map(toWireSnippet) : [],
  }),
});
