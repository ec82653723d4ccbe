import { applier, slice } from '#kernel/slice';
import { applyViewEvent } from './apply.ts';
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
  applies: [applier(['navigation_view'], ['navigation_views'], applyViewEvent)],
});
