import { event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireMutedUser } from './wire.ts';

/** Somebody muted a user or no longer does; all muted ones. See protocol/events#own-data. */
export const mutedUsersChanged = event({
  type: 'muted_users',
  source: 'protocol/events#own-data',
  payload: { muted_users: list(wireMutedUser) },
});
