import { peopleUnsubscribed } from '#features/channels';
import { userMuted } from '#features/muted-users';
import { applier, on, slice } from '#kernel/slice';
import { applyMessageEvent } from './apply.ts';
import { applyNewestEvent } from './newest/apply.ts';
import { channelEmailEndpoint } from './channel-email.ts';
import { messageEndpoints } from './endpoints.ts';
import { messageEvents } from './events.ts';
import { readWhatIsLeft } from './flags/leaving.ts';
import { readWhatMutedWrote } from './flags/muted.ts';
import { reactionEndpoints } from './reactions/endpoints.ts';
import { reactionAdded, reactionRemoved } from './reactions/events.ts';
import { reaction } from './reactions/tables.ts';
import { messageStates } from './state.ts';
import { renderMessageEndpoint } from './render-endpoint.ts';
import { addSubmessageEndpoint } from './submessages/endpoints.ts';
import { submessageAdded } from './submessages/events.ts';
import { message, messageFlag, messageGroupMention, readInterval, submessage } from './tables.ts';

export const messages = slice({
  name: 'messages',
  tables: [message, messageFlag, messageGroupMention, reaction, readInterval, submessage],
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
  endpoints: [
    ...messageEndpoints,
    renderMessageEndpoint,
    channelEmailEndpoint,
    ...reactionEndpoints,
    addSubmessageEndpoint,
  ],
  events: [...messageEvents, reactionAdded, reactionRemoved, submessageAdded],
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
  on: [on(peopleUnsubscribed, readWhatIsLeft), on(userMuted, readWhatMutedWrote)],
});

export { accessMessage, accessMessages, readerOf } from './access.ts';
export { recipientsOf, recipientsOfEach, participantsOfMessage } from './recipients.ts';
export { isInteractive } from './clients.ts';
export { eraseMessages, eraseSomeMessages } from './changes/delete.ts';
export {
  deleteFlagsOfUsers,
  listTopic,
  setContent,
  setPlace,
  setRendering,
} from './changes/queries.ts';
export {
  EmptyTopicOnly,
  EmptyTopicRefused,
  InvalidMessage,
  InvalidRecipientData,
  InvalidRecipientId,
  MENTION_ERRORS,
  MessageEmpty,
  MessageNullBytes,
  MissingTopic,
  NotAuthorizedToSend,
  PostingRefused,
  RecipientsMissing,
  SENDING_ERRORS,
  TopicCharacter,
  TopicCreationRefused,
} from './errors.ts';
export { assertMayPost } from './to-channel.ts';
export { assertMayMention, channelMentions, directMentions, type Mentions } from './mentions.ts';
export { type ChannelMail, channelMailIn } from './channel-address.ts';
export { messageAddress, quoted, silentMention, topicLink } from './phrases.ts';
export { maySend } from './posting.ts';
export { findMessages, firstTwoOfTopic, hasTopic, participantsIn, submessagesOf } from './queries.ts';
export {
  deleteFlagsOfAll,
  deleteGroupMentions,
  groupMentionsOf,
  insertFlags,
  insertGroupMentions,
  usersWithFlags,
} from './flags/queries.ts';
export { accessByChannelIn } from './access-by-channel.ts';
export { toFullMessages } from './full.ts';
export { type Outgoing, prepareMessage } from './outgoing.ts';
export { renderContent } from './render.ts';
export { moveReadState, readBy, setReadBy, setSpansRead } from './reading/read-state.ts';
export { NARROW_OPERATORS } from './register-narrow.ts';
export { indexMessages, insertIntoIndex } from './search/queries.ts';
export { SEND_ERRORS } from './send-errors.ts';
export {
  assertMaySend,
  type Destination,
  sendMessage,
  sendPrepared,
} from './send.ts';
export { channelMissed, messagePosted, messagesRead, topicJoined } from './signals.ts';
export { prepareSystemMessage, sendSystemMessage } from './system.ts';
export type { MessageRow, StoredEdit, StoredFlag } from './tables.ts';
export { cutContent, MAX_TOPIC, normaliseContent, normaliseTopic } from './content.ts';
export type { FullMessage } from './wire.ts';
export { parseWidgetContent } from './widgets.ts';
export { newestReceived } from './state.ts';
export { applyNewestEvent } from './newest/apply.ts';
