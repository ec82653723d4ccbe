// Subscribers of channels, access to channels, and the audience of their events.
export {
  accessChannel,
  accessChannelContent,
  accessChannelsByName,
  type AccessedChannel,
  accessIn,
  accessToAdminister,
  knownAmong,
} from './access.ts';
export { guestsConcerned, knowersOf, knowersOfEach, knowingByGroups, knowingBySubscription } from './audience.ts';
export { listSubscriptionsFor } from './filled.ts';
export { renewFirstMessages, touchChannel } from './first-message.ts';
export { tellPeers } from './peers.ts';
export { endPeriods, insertPeriods, newestMessageId, periodsOfChannel } from './periods/queries.ts';
export {
  endSubscriptions,
  findSubscription,
  listSubscriptions,
  listSubscriptionsOf,
  storeProperty,
  subscribersOf,
  upsertSubscriptions,
  usedColors,
} from './queries.ts';
export { hideChannels, showChannels } from './show.ts';
export { readRecent, readSubscribers, shownSubscribers, type ShownSubscribers } from './shown.ts';
