import { actingAs } from '#kernel/store';
import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { keepsDrafts } from './actions.ts';
import { newestDrafts } from './queries.ts';
import { toWireDraft, wireDraft } from './wire.ts';

/** The caller's most recently edited drafts; none if the setting is off. See protocol/saved#drafts. */
export const draftsState = registerState({
  fetchType: 'drafts',
  source: 'protocol/saved#drafts',
  fields: { drafts: list(wireDraft) },
  read: async ({ tx }) => ({
    drafts:
      tx.actor && (await keepsDrafts(actingAs(tx, tx.actor)))
        ? (await newestDrafts(tx, tx.actor.userId)).map(toWireDraft)
        : [],
  }),
});
