import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listSnippets } from './queries.ts';
import { toWireSnippet, wireSnippet } from './wire.ts';

/** The caller's snippets. Api 4.22, contract register 2.3. */
export const snippetState = registerState({
  fetchType: 'saved_snippets',
  eventTypes: ['saved_snippets'],
  source: 'api 4.22, contract register 2.3',
  fields: { saved_snippets: list(wireSnippet) },
  read: async ({ tx, realm, actor }) => ({
    saved_snippets: actor ? (await listSnippets(tx, realm.id, actor.userId)).map(toWireSnippet) : [],
  }),
});
