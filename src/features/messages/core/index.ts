// Tables of messages, access to them, and errors of requests about them.
export { accessByChannelIn, accessHeads, accessMessage, accessMessages, readerOf } from './access.ts';
export { type ChannelAddress, parseChannelAddress, parsePeopleAddress, type PeopleAddress } from './address.ts';
export { cutContent, MAX_TOPIC, normaliseContent, normaliseTopic, trimContent } from './content.ts';
export * as messageErrors from './errors.ts';
export {
  AnchorExcluded,
  BadNarrow,
  ChannelIdMissing,
  ChannelNameMissing,
  ChannelWildcardRefused,
  DirectMessagesDisabled,
  DirectMessagesUnauthorized,
  DuplicateWith,
  EmptyTopicOnly,
  EmptyTopicRefused,
  GroupMentionRefused,
  InitiationRefused,
  InvalidAnchor,
  InvalidAnchorDate,
  InvalidMessage,
  InvalidRecipientData,
  InvalidRecipientEmail,
  InvalidRecipientId,
  MENTION_ERRORS,
  MessageEmpty,
  MessageNullBytes,
  MissingAnchor,
  MissingAnchorDate,
  MissingTopic,
  NoSuchTopic,
  NotAuthorizedToSend,
  PostingRefused,
  ReceiptsDisabled,
  RecipientDeactivated,
  RecipientInaccessible,
  RecipientsMissing,
  SENDING_ERRORS,
  TooManyMessages,
  TopicCharacter,
  TopicCreationRefused,
  TopicWildcardRefused,
  UnableToRender,
  WidgetInvalid,
} from './errors.ts';
export {
  conversationOf,
  conversationsWith,
  firstTwoOfTopic,
  hasMessages,
  hasTopic,
  latestInTopics,
  participantsIn,
} from './conversations/queries.ts';
export { findLight, findListed, weighMessages } from './listing/queries.ts';
export {
  endsOf,
  findHeads,
  findMessages,
  insertMessage,
  isReceived,
  isReceivedAlone,
  receivedAmong,
} from './queries.ts';
export {
  deleteReaction,
  deleteReactionsTo,
  insertReaction,
  findReaction,
  countEmojiOn,
  reactionPages,
  reactionsTo,
} from './reactions/queries.ts';
export { reaction } from './reactions/tables.ts';
export {
  hasParts,
  insertSubmessage,
  measureParts,
  partPages,
  partsOfAuthors,
  submessagesOf,
} from './submessages/queries.ts';
export { deleteInSlices } from './slices.ts';
export { NARROW_OPERATORS, narrowAdmits } from './register-narrow.ts';
export {
  type WireRecipient,
  toFullMessage,
  toSeenMessage,
  toSeenReactor,
  toReactor,
  toWirePart,
  toWireReaction,
  type Reactor,
} from './to-wire.ts';
export { channelMissed, messagePosted, messagesRead, topicJoined } from './signals.ts';
export {
  deliveredUser,
  type DeliveredRow,
  delivery,
  message,
  messageFlag,
  messageGroupMention,
  idempotencyKey,
  type IdempotencyKeyRow,
  type MessageHead,
  type MessageRow,
  readInterval,
  type ReadIntervalRow,
  type StoredEdit,
  type StoredFlag,
  submessage,
  type SubmessageRow,
} from './tables.ts';
export { parseWidgetContent, readWidget } from './widgets.ts';
export { LEAST_WIDTH } from './window-width.ts';
export { boundsOf, EVERYTHING, type Window, windows } from './windows.ts';
