import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listPlaygrounds } from './queries.ts';
import { toWirePlayground, wirePlayground } from './wire.ts';

/** All playgrounds. See protocol/linkifiers#playgrounds. */
export const playgroundsState = registerState({
  fetchType: 'realm_playgrounds',
  sameFor: () => '',
  source: 'protocol/linkifiers#playgrounds',
  fields: { realm_playgrounds: list(wirePlayground) },
  read: async ({ tx }) => ({ realm_playgrounds: (await listPlaygrounds(tx)).map(toWirePlayground) }),
});
