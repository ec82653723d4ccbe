import { slice } from '#kernel/slice';
import { mutedUserEndpoints } from './endpoints.ts';
import { mutedUsersChanged } from './events.ts';
import { mutedUsersState } from './state.ts';
import { mutedUser } from './tables.ts';

export const mutedUsersSlice = slice({
  name: 'muted-users',
  tables: [mutedUser],
  endpoints: mutedUserEndpoints,
  events: [mutedUsersChanged],
  state: [mutedUsersState],
});

export { applyMutedUsersEvent } from './apply.ts';
export { mutersByUser } from './muters.ts';
export { userMuted } from './signals.ts';
