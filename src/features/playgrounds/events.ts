import { event, everyoneInRealm } from '#kernel/events';
import { list } from '#kernel/schema';
import { wirePlayground } from './wire.ts';

/** The playgrounds changed: all of them. See protocol/linkifiers#playgrounds. */
export const playgroundsChanged = event({
  type: 'realm_playgrounds',
  source: 'protocol/linkifiers#playgrounds',
  payload: { realm_playgrounds: list(wirePlayground) },
  audience: () => everyoneInRealm,
  audit: ({ realm_playgrounds }) => ({
    action: 'playgrounds.changed',
    target: { kind: 'organization' },
    after: realm_playgrounds,
  }),
});
