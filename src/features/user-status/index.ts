import { applier, slice } from '#kernel/slice';
import { presenceSwitched } from './actions.ts';
import { applyStatusEvent } from './apply.ts';
import { userStatusEndpoints } from './endpoints.ts';
import { userStatusChanged } from './events.ts';
import { userStatusState } from './state.ts';
import { userStatus } from './tables.ts';

export const userStatusSlice = slice({
  name: 'user-status',
  tables: [userStatus],
  endpoints: userStatusEndpoints,
  events: [userStatusChanged],
  state: [userStatusState],
  applies: [applier(['user_status'], ['user_status'], applyStatusEvent)],
  on: [presenceSwitched],
});
