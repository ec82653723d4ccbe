import { applier, slice } from '#kernel/slice';
import { CHANNEL_SETTINGS } from '#features/groups';
import { applyDefaultsEvent, applyChannelEvent } from './apply.ts';
import { refreshRegularly } from './activity/refresh.ts';
import { defaultEndpoints } from './default-endpoints.ts';
import { channelEndpoints } from './endpoints.ts';
import { channelEvents } from './events.ts';
import { visibilityFollowsGroups } from './visibility-by-groups.ts';
import { readEndpoints } from './read-endpoints.ts';
import { channelsState, defaultChannelsState, subscriptionsState } from './state.ts';
import { subscriptionEndpoints } from './subscriptions/endpoints.ts';
import { channel, channelTraffic, subscription, subscriptionPeriod } from './tables.ts';

export const channels = slice({
  name: 'channels',
  tables: [channel, subscription, subscriptionPeriod, channelTraffic],
  reads: ['user', 'message'],
  endpoints: [...channelEndpoints, ...readEndpoints, ...defaultEndpoints, ...subscriptionEndpoints],
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
  type AccessedChannel,
  accessChannel,
  accessChannelContent,
  accessChannelsByName,
  accessIn,
} from './access.ts';
export { announceDefaultsTo, createChannels, type NewChannelInput } from './create.ts';
export { DefaultPrivate, InvalidChannelId, InvalidChannelName } from './errors.ts';
export { renewFirstMessages, touchChannel } from './first-message.ts';
export { maySubscribeOthers } from './powers.ts';
export { findChannel, findChannels, findChannelsByName, listChannels, setChannel } from './queries.ts';
export { periodsOfChannel } from './subscriptions/periods/queries.ts';
export { findSubscription, listSubscriptions, listSubscriptionsOf, subscribersOf } from './subscriptions/queries.ts';
export { hasSharedHistory, mayAdminister, mayKnow, mayRead, type ChannelAccess } from './rules.ts';
export { announceVisibility } from './announce-visibility.ts';
export type { SettingChange } from './change-settings.ts';
export { channelArchived, channelsCreated, channelUpdated, peopleSubscribed, peopleUnsubscribed } from './signals.ts';
export { addSubscribers } from './subscriptions/add.ts';
export { resumeSubscriptions, suspendSubscriptions } from './subscriptions/suspend.ts';
export type { ChannelRow } from './tables.ts';
