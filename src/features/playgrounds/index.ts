import { applier, slice } from '#kernel/slice';
import { applyPlaygroundEvent } from './apply.ts';
import { playgroundEndpoints } from './endpoints.ts';
import { playgroundsChanged } from './events.ts';
import { playgroundsState } from './state.ts';
import { realmPlayground } from './tables.ts';

export const playgrounds = slice({
  name: 'playgrounds',
  tables: [realmPlayground],
  endpoints: playgroundEndpoints,
  events: [playgroundsChanged],
  state: [playgroundsState],
  applies: [applier(['realm_playgrounds'], ['realm_playgrounds'], applyPlaygroundEvent)],
});
