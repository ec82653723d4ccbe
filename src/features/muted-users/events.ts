import { event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireMutedUser } from './wire.ts';

/** Somebody muted a user or no longer does; all muted ones. Contract register 4.4.11. */
export const mutedUsersChanged = event({
  type: 'muted_users',
  source: 'contract register 4.4.11',
  payload: { muted_users: list(wireMutedUser) },
});
