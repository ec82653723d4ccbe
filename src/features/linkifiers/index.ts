import { slice } from '#kernel/slice';
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
});

export { applyLinkifierEvent } from './apply.ts';
export { listLinkifiers } from './queries.ts';
