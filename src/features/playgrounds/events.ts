import { event, everyoneInRealm } from '#kernel/events';
import { list } from '#kernel/schema';
import { wirePlayground } from './wire.ts';

/** The playgrounds changed: all of them. Contract operations 4.17. */
export const playgroundsChanged = event({
  type: 'realm_playgrounds',
  source: 'contract operations 4.17',
  payload: { realm_playgrounds: list(wirePlayground) },
  audience: () => everyoneInRealm,
});
