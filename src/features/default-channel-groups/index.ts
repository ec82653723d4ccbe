import { applier, slice } from '#kernel/slice';
import { applyDefaultGroupsEvent } from './apply.ts';
import { goneChannels } from './actions.ts';
import { defaultGroupEndpoints } from './endpoints.ts';
import { defaultGroupsChanged } from './events.ts';
import { defaultGroupsState } from './state.ts';
import { defaultChannelGroup, defaultChannelGroupMember } from './tables.ts';

export const defaultChannelGroups = slice({
  name: 'default-channel-groups',
  tables: [defaultChannelGroup, defaultChannelGroupMember],
  endpoints: defaultGroupEndpoints,
  events: [defaultGroupsChanged],
  state: [defaultGroupsState],
  applies: [applier(['default_stream_groups'], ['realm_default_stream_groups'], applyDefaultGroupsEvent)],
  on: goneChannels,
});

export { announceDefaultGroupsTo } from './actions.ts';
