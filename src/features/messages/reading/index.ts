// State of messages per reader: read or not, flags, and therefore who received them.
export {
  countDelivered,
  deleteEmptied,
  deliveredInSlices,
  deliveredTo,
  insertDelivered,
  insertDelivery,
  setDelivery,
} from './deliveries/queries.ts';
export { flagsOfReader } from './flags/of-reader.ts';
export {
  deleteFlags,
  deleteFlagsOfAll,
  deleteGroupMentions,
  flagMessages,
  flagsByMessage,
  flagsOfUsers,
  groupMentionsOf,
  insertFlags,
  insertGroupMentions,
  usersWithFlags,
} from './flags/queries.ts';
export { type Interval, joined, outside, placesWithin } from './intervals.ts';
export { type ReadState, readPlaces, setReadStates, Stretches } from './moved.ts';
export { noteParticipation } from './participation.ts';
export {
  readBy,
  setAllRead,
  setAllReadBy,
  setNewestRead,
  setRead,
  setSpansRead,
  setUnread,
} from './read-state.ts';
export { participantsOfMessage, recipientsOf, recipientsOfEach } from './recipients.ts';
export { mutingOf } from './unread/muting.ts';
export { unreadOf } from './unread/gaps/queries.ts';
export { listUnreadIn } from './unread/listing/queries.ts';
export { unreadBy } from './unread/by-user.ts';
export { conversationsOf, findFirstUnread } from './unread/queries.ts';
export { unreadState } from './unread/state.ts';
