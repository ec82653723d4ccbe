import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listViews } from './queries.ts';
import { toWireView, wireView } from './wire.ts';

/** The caller's navigation views. See protocol/saved#navigation-views. */
export const viewsState = registerState({
  fetchType: 'navigation_views',
  source: 'protocol/saved#navigation-views',
  fields: { navigation_views: list(wireView) },
  read: async ({ tx }) => ({
    navigation_views: tx.actor ? (await listViews(tx, tx.actor.userId)).map(toWireView) : [],
  }),
});
