import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listMuted } from './queries.ts';
import { toWireMutedUser, wireMutedUser } from './wire.ts';

/** The users that the caller has muted. See protocol/register#own-collections. */
export const mutedUsersState = registerState({
  fetchType: 'muted_users',
  source: 'protocol/register#own-collections',
  fields: { muted_users: list(wireMutedUser) },
  read: async ({ tx }) => ({
    muted_users: tx.actor ? (await listMuted(tx, tx.actor.userId)).map(toWireMutedUser) : [],
  }),
});
