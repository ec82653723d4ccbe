import { slice } from '#kernel/slice';
import { viewEndpoints } from './endpoints.ts';
import { viewEvents } from './events.ts';
import { viewsState } from './state.ts';
import { navigationView } from './tables.ts';

export const navigationViews = slice({
  name: 'navigation-views',
  tables: [navigationView],
  endpoints: viewEndpoints,
  events: viewEvents,
  state: [viewsState],
});

export { applyViewEvent } from './apply.ts';
