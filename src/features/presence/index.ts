import { slice } from '#kernel/slice';
import { presenceEndpoints } from './endpoints.ts';
import { cameBack, presenceChanged } from './events.ts';
import { flushAtStop } from './cache.ts';
import { presenceState } from './state.ts';
import { presence, presenceCounter } from './tables.ts';
import { presenceSwitched } from './visibility.ts';

export const presenceSlice = slice({
  name: 'presence',
  tables: [presence, presenceCounter],
  reads: ['user'],
  endpoints: presenceEndpoints,
  events: [cameBack, presenceChanged],
  state: [presenceState],
  on: [presenceSwitched],
  background: flushAtStop,
});

export { isShown } from './people.ts';
export { OFFLINE_SECONDS } from './rules.ts';
