import { event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireMutedUser } from './wire.ts';

/** Somebody muted or unmuted a user; contains all muted users. See protocol/events#own-data. */
export const mutedUsersChanged = event({
  type: 'muted_users',
  source: 'protocol/events#own-data',
  payload: { muted_users: list(wireMutedUser) },
});
