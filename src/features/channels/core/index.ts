// Tables and queries of channels, validation of parameters, and errors.
export * as channelErrors from './errors.ts';
export {
  AdministrationNotAllowed,
  AlreadyArchived,
  ChannelExists,
  ContentAccessRequired,
  DefaultChannelPrivate,
  DefaultPrivate,
  DefaultsNotAllowed,
  InvalidChannelId,
  InvalidChannelName,
  InvalidParameters,
  MAX_CHANNELS,
  MAX_CHANNELS_A_DAY,
  SubscribersUnavailable,
  TooManyChannels,
  UnableToAccessChannel,
  UserIsDeactivated,
  WebPublicDisabled,
} from './errors.ts';
export {
  assertChannelName,
  changeParams,
  CREATION_ERRORS,
  MAX_CHANNEL_DESCRIPTION,
  MAX_PEOPLE,
  oneLine,
  parseRetention,
  placeParams,
  retentionDays,
  settingParams,
  topicsPolicy,
  userIdShape,
} from './params.ts';
export { maySubscribeOthers, type Powers, powersOf } from './powers.ts';
export { accessPrincipals, findPrincipals, namesOthers, type Principals } from './principals.ts';
export {
  addToSubscriberCounts,
  countChannels,
  findChannel,
  findChannels,
  findChannelsByName,
  hasNamedTopic,
  insertChannels,
  listChannels,
  privateChannelsShownBy,
  setChannel,
  setFirstMessages,
  setNewestMessage,
} from './queries.ts';
export {
  channelArchived,
  channelsCreated,
  channelUpdated,
  peopleJoined,
  peopleSubscribed,
  peopleUnsubscribed,
} from './signals.ts';
export {
  channel,
  type ChannelRow,
  channelTraffic,
  subscription,
  subscriptionPeriod,
  type SubscriptionRow,
  type TopicsPolicy,
} from './tables.ts';
export { personalFields, postPolicy, readChannelValues, toWireChannel } from './to-wire.ts';
