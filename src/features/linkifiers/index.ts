import { applier, slice } from '#kernel/slice';
import { applyLinkifierEvent } from './apply.ts';
import { linkifierEndpoints } from './endpoints.ts';
import { linkifiersChanged } from './events.ts';
import { linkifierStates } from './state.ts';
import { realmLinkifier } from './tables.ts';

export const linkifiers = slice({
  name: 'linkifiers',
  tables: [realmLinkifier],
  endpoints: linkifierEndpoints,
  events: [linkifiersChanged],
  state: linkifierStates,
  applies: [applier(['realm_linkifiers'], ['realm_linkifiers'], applyLinkifierEvent)],
});

export { listLinkifiers } from './queries.ts';
