import { slice } from '#kernel/slice';
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
});
