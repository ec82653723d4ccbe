import { event, nonGuests } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireDefaultGroup } from './wire.ts';

/** The groups of default channels changed: all of them, by name. Contract register 4.4.13. */
export const defaultGroupsChanged = event({
  type: 'default_stream_groups',
  source: 'contract register 4.4.13',
  payload: { default_stream_groups: list(wireDefaultGroup) },
  audience: () => nonGuests,
});
