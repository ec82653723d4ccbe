import { applier, slice } from '#kernel/slice';
import { applyMutedUsersEvent } from './apply.ts';
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
  applies: [applier(['muted_users'], ['muted_users'], applyMutedUsersEvent)],
});

export { mutersByUser } from './queries.ts';
export { userMuted } from './signals.ts';
