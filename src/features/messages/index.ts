import { peopleJoined, peopleUnsubscribed } from '#features/channels';
import { userMuted } from '#features/muted-users';
import { applier, on, slice } from '#kernel/slice';
import { applyMessageEvent } from './apply.ts';
import { applyNewestEvent } from './newest/apply.ts';
import { messageEndpoints } from './endpoints.ts';
import { messageEvents } from './events.ts';
import { readWhatIsLeft, readWhatMutedWrote, tellWhatIsUnread } from './flags/index.ts';
import {
  idempotencyKey,
  message,
  messageFlag,
  messageGroupMention,
  reaction,
  readInterval,
  submessage,
} from './core/index.ts';
import { messageStates } from './state.ts';

export const messages = slice({
  name: 'messages',
  tables: [message, messageFlag, messageGroupMention, reaction, readInterval, submessage, idempotencyKey],
  reads: [
    'channel',
    'direct_participant',
    'muted_user',
    'recipient',
    'subscription',
    'subscription_period',
    'user',
    'user_topic',
  ],
  endpoints: messageEndpoints,
  events: messageEvents,
  state: messageStates,
  applies: [
    applier(
      ['message', 'update_message', 'update_message_flags', 'delete_message', 'user_topic', 'subscription', 'stream'],
      ['unread_msgs', 'starred_messages'],
      applyMessageEvent,
      { isLast: true },
    ),
    applier(
      ['message', 'update_message', 'delete_message', 'subscription', 'stream', 'realm_user', 'user_group'],
      ['max_message_id', 'recent_private_conversations'],
      applyNewestEvent,
      { isLast: true },
    ),
  ],
  on: [on(peopleJoined, tellWhatIsUnread), on(peopleUnsubscribed, readWhatIsLeft), on(userMuted, readWhatMutedWrote)],
});

export { Alike, tellUnread } from './flags/index.ts';
export {
  accessByChannelIn,
  accessHeads,
  accessMessage,
  accessMessages,
  channelMissed,
  cutContent,
  EmptyTopicOnly,
  EmptyTopicRefused,
  endsOf,
  findHeads,
  findMessages,
  firstTwoOfTopic,
  hasTopic,
  InvalidMessage,
  InvalidRecipientData,
  InvalidRecipientId,
  MAX_TOPIC,
  MENTION_ERRORS,
  MessageEmpty,
  type MessageHead,
  MessageNullBytes,
  messagePosted,
  type MessageRow,
  messagesRead,
  MissingTopic,
  NARROW_OPERATORS,
  hasParts,
  normaliseContent,
  normaliseTopic,
  NotAuthorizedToSend,
  parseWidgetContent,
  participantsIn,
  partsOfAuthors,
  PostingRefused,
  readerOf,
  RecipientsMissing,
  SENDING_ERRORS,
  type StoredEdit,
  type StoredFlag,
  TopicCharacter,
  TopicCreationRefused,
  topicJoined,
  trimContent,
} from './core/index.ts';
export { MAX_EMOJI } from './reactions/index.ts';
export { MOST_PARTS } from './submessages/index.ts';
export {
  deleteFlagsOfAll,
  deleteGroupMentions,
  flagsOfUsers,
  groupMentionsOf,
  insertFlags,
  insertGroupMentions,
  moveReadState,
  neighboursOf,
  participantsOfMessage,
  readBy,
  recipientsOf,
  recipientsOfEach,
  setReadBy,
  setSpansRead,
  usersWithFlags,
} from './reading/index.ts';
export {
  addressOfMessage,
  assertMayMention,
  assertMayPost,
  assertMaySend,
  channelLink,
  type ChannelMail,
  channelMailIn,
  channelMentions,
  type Destination,
  directMentions,
  forgetKeys,
  isInteractive,
  maySend,
  type Mentions,
  messageAddress,
  type Notice,
  type Outgoing,
  countHtml,
  countPeople,
  prepareMessage,
  prepareSystemMessage,
  quoted,
  renderContent,
  SEND_ERRORS,
  sendMessage,
  sendPrepared,
  sendSystemMessage,
  silentMention,
  topicLink,
  verbatim,
} from './sending/index.ts';
export {
  deleteFlagsOfUsers,
  eraseMessages,
  eraseSomeMessages,
  idsOfTopic,
  newestOfTopic,
  setContent,
  setPlace,
  setRendering,
} from './changes/index.ts';
export { historyPolicy, toFullMessages, visibleEdits } from './finding/index.ts';
export { indexMessages, insertIntoIndex, reindexMessages } from './search/index.ts';
export type { FullMessage } from './wire.ts';
export { newestReceived } from './state.ts';
export { applyNewestEvent } from './newest/apply.ts';
export { contentInWords, widgetTitle, widgetWords } from './widgets/index.ts';
