import { applier, slice } from '#kernel/slice';
import { CHANNEL_SETTINGS } from '#features/groups';
import { applyDefaultsEvent, applyChannelEvent } from './apply.ts';
import { refreshRegularly } from './activity/index.ts';
import { visibilityFollowsGroups } from './managing/index.ts';
import { channelEndpoints } from './endpoints.ts';
import { channelEvents } from './events.ts';
import { channelsState, defaultChannelsState, subscriptionsState } from './listing/index.ts';
import { channel, channelTraffic, subscription, subscriptionPeriod } from './core/index.ts';

export const channels = slice({
  name: 'channels',
  tables: [channel, subscription, subscriptionPeriod, channelTraffic],
  reads: ['user', 'message'],
  endpoints: channelEndpoints,
  events: channelEvents,
  state: [subscriptionsState, channelsState, defaultChannelsState],
  applies: [
    applier(['default_streams'], ['realm_default_streams'], applyDefaultsEvent),
    applier(
      ['stream', 'subscription'],
      ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'],
      applyChannelEvent,
    ),
  ],
  settings: CHANNEL_SETTINGS,
  on: [visibilityFollowsGroups],
  background: refreshRegularly,
});

export {
  accessChannel,
  accessChannelContent,
  accessChannelsByName,
  type AccessedChannel,
  accessIn,
  findSubscription,
  knownAmong,
  listSubscriptions,
  listSubscriptionsOf,
  periodsOfChannel,
  renewFirstMessages,
  subscribersOf,
  touchChannel,
} from './members/index.ts';
export { announceDefaultsTo, createChannels, type NewChannelInput } from './creating/index.ts';
export {
  channelArchived,
  type ChannelRow,
  channelsCreated,
  channelUpdated,
  DefaultPrivate,
  findChannel,
  findChannels,
  findChannelsByName,
  InvalidChannelId,
  InvalidChannelName,
  listChannels,
  maySubscribeOthers,
  peopleJoined,
  peopleSubscribed,
  peopleUnsubscribed,
  setChannel,
} from './core/index.ts';
export {
  type ChannelAccess,
  hasSharedHistory,
  mayAdminister,
  mayKnow,
  mayRead,
  type WayToRead,
  waysToRead,
} from './rules.ts';
export { announceVisibility, type SettingChange } from './managing/index.ts';
export { addSubscribers, resumeSubscriptions, suspendSubscriptions } from './subscriptions/index.ts';
