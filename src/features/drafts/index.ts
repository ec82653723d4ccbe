import { settingsChanged } from '#features/user-settings';
import { applier, on, slice } from '#kernel/slice';
import { applyDraftsEvent } from './apply.ts';
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
  applies: [applier(['drafts', 'user_settings'], ['drafts'], applyDraftsEvent)],
  on: [on(settingsChanged, forgetDrafts)],
});
