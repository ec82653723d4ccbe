import { slice } from '#kernel/slice';
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
  on: goneChannels,
});

export { announceDefaultGroupsTo } from './actions.ts';
export { applyDefaultGroupsEvent } from './apply.ts';
