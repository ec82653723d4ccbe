import { settingsChanged } from '#features/user-settings';
import { on, slice } from '#kernel/slice';
import { forgetDrafts } from './actions.ts';
import { draftEndpoints } from './endpoints.ts';
import { draftEvents } from './events.ts';
import { draftsState } from './state.ts';
import { draft } from './tables.ts';

export const drafts = slice({
  name: 'drafts',
  tables: [draft],
  endpoints: draftEndpoints,
  events: draftEvents,
  state: [draftsState],
  on: [on(settingsChanged, forgetDrafts)],
});

export { applyDraftsEvent } from './apply.ts';
