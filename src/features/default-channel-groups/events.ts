import { event, nonGuests } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireDefaultGroup } from './wire.ts';

/** The groups of default channels changed; carries all of them, by name. See protocol/events#organization. */
export const defaultGroupsChanged = event({
  type: 'default_stream_groups',
  source: 'protocol/events#organization',
  payload: { default_stream_groups: list(wireDefaultGroup) },
  audience: () => nonGuests,
  audit: ({ default_stream_groups }) => ({
    action: 'default_groups.changed',
    target: { kind: 'organization' },
    after: default_stream_groups,
  }),
});
