import { isGuest } from '#kernel/permissions';
import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listDefaultGroups } from './queries.ts';
import { wireDefaultGroup } from './wire.ts';

/**
 * Groups of default channels, by name; none for guests and spectators. See protocol/register#organization-collections.
 */
export const defaultGroupsState = registerState({
  fetchType: 'default_stream_groups',
  sameFor: ({ tx }) => `${tx.actor !== null && !isGuest(tx.actor)}`,
  source: 'protocol/register#organization-collections',
  fields: { realm_default_stream_groups: list(wireDefaultGroup) },
  read: async ({ tx }) => ({
    realm_default_stream_groups: tx.actor && !isGuest(tx.actor) ? await listDefaultGroups(tx) : [],
  }),
});
