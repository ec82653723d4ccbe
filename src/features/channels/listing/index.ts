// Lists of channels, in the register response and by endpoints.
export { readEndpoints } from './endpoints.ts';
export { subscribedChannelsOf } from './listing.ts';
export { channelsState, defaultChannelsState, readSubscriptions, subscriptionsState } from './state.ts';
