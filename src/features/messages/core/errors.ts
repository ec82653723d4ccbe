import { apiError } from '#kernel/errors';

export const MessageEmpty = apiError({ message: 'Message must not be empty' });
/** Rendering failed, or its result is beyond all bounds. See protocol/markdown#limits. */
export const UnableToRender = apiError({ message: 'Unable to render message' });
export const MessageNullBytes = apiError({ message: 'Message must not contain null bytes' });
export const MissingTopic = apiError({ message: 'Missing topic' });
export const MissingChannel = apiError({ message: 'Missing channel' });
export const OneChannelExpected = apiError({ message: 'Expected exactly one channel' });
export const InvalidChannelData = apiError({ message: 'Invalid data type for channel' });
export const InvalidRecipientData = apiError({ message: 'Invalid data type for recipients' });
export const RecipientsMissing = apiError({ message: 'Message must have recipients' });
export const RecipientsMixed = apiError({ message: 'Recipient lists may contain emails or user IDs, but not both.' });
export const InvalidRecipientEmail = apiError<Record<never, never>, { email: string }>({
  message: (e) => `Invalid email '${e.email}'`,
});
export const InvalidRecipientId = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Invalid user ID ${e.id}`,
});
export const RecipientDeactivated = apiError<Record<never, never>, { email: string }>({
  message: (e) => `'${e.email}' is no longer using Roost.`,
});
export const InvalidMirroredMessage = apiError({ message: 'Invalid mirrored message' });
export const TopicCharacter = apiError<Record<never, never>, { position: number }>({
  message: (e) => `Invalid character in topic, at position ${e.position}!`,
});
export const ChannelNameMissing = apiError({
  code: 'STREAM_DOES_NOT_EXIST',
  extra: { stream: 'string' },
  message: (e) => `Channel '${e.stream}' does not exist`,
});
export const ChannelIdMissing = apiError({
  code: 'STREAM_DOES_NOT_EXIST',
  extra: { stream_id: 'integer' },
  message: (e) => `Channel with ID '${e.stream_id}' does not exist`,
});
export const PostingRefused = apiError({ message: 'You do not have permission to post in this channel.' });
export const NotAuthorizedToSend = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Not authorized to send to channel '${e.name}'`,
});
export const MissingAnchor = apiError({ message: "Missing 'anchor' argument." });
export const InvalidAnchor = apiError({ message: 'Invalid anchor' });
export const TooManyMessages = apiError({ message: 'Too many messages requested (maximum 5000).' });
/** The message does not exist, or the caller may not read it: the answer is the same. */
export const InvalidMessage = apiError({ message: 'Invalid message(s)' });
export const RecipientInaccessible = apiError({
  message: 'You do not have permission to access some of the recipients.',
});
export const DirectMessagesDisabled = apiError({ message: 'Direct messages are disabled in this organization.' });
export const DirectMessagesUnauthorized = apiError({
  message: 'This conversation does not include any users who can authorize it.',
});
export const InitiationRefused = apiError({
  message: 'You do not have permission to initiate direct message conversations.',
});
export const TopicCreationRefused = apiError({
  message: 'You do not have permission to create new topics in this channel.',
});
export const EmptyTopicRefused = apiError({
  extra: { empty_topic_display_name: 'string' },
  message: (e) => `Sending messages to the ${e.empty_topic_display_name} is not allowed in this channel.`,
});
export const EmptyTopicOnly = apiError({
  extra: { empty_topic_display_name: 'string' },
  message: (e) => `Only the ${e.empty_topic_display_name} topic is allowed in this channel.`,
});
export const WidgetNotJson = apiError({ message: 'Widgets: API programmer sent invalid JSON content' });
export const WidgetInvalid = apiError<Record<never, never>, { why: string }>({ message: (e) => `Widgets: ${e.why}` });
export const ChannelWildcardRefused = apiError({
  code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  message: 'You do not have permission to use channel wildcard mentions in this channel.',
});
export const TopicWildcardRefused = apiError({
  code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  message: 'You do not have permission to use topic wildcard mentions in this topic.',
});
export const GroupMentionRefused = apiError<Record<never, never>, { name: string }>({
  message: (e) => `You are not allowed to mention user group '${e.name}'.`,
});
export const BadNarrow = apiError({
  code: 'BAD_NARROW',
  extra: { desc: 'string' },
  message: (e) => `Invalid narrow operator: ${e.desc}`,
});
export const DuplicateWith = apiError({
  code: 'BAD_NARROW',
  extra: { desc: 'string' },
  message: (e) => `Invalid narrow operator combination: ${e.desc}`,
});
export const MissingAnchorDate = apiError({ message: "Missing 'anchor_date' argument." });
export const InvalidAnchorDate = apiError({ message: 'anchor_date is not a date' });
export const AnchorExcluded = apiError({ message: 'The anchor can only be excluded at an end of the range' });
export const InvalidFlag = apiError<Record<never, never>, { flag: string }>({
  message: (e) => `Invalid flag: '${e.flag}'`,
});
export const FlagNotEditable = apiError<Record<never, never>, { flag: string }>({
  message: (e) => `Flag not editable: '${e.flag}'`,
});
export const InvalidFlagOperation = apiError<Record<never, never>, { op: string }>({
  message: (e) => `Invalid message flag operation: '${e.op}'`,
});
export const NoSuchTopic = apiError<Record<never, never>, { topic: string }>({
  message: (e) => `No such topic '${e.topic}'`,
});
export const ReceiptsDisabled = apiError({ message: 'Read receipts are disabled in this organization.' });

/** Errors about what a text contains or mentions. See protocol/messages#checks, steps 7 and 8. */
export const MENTION_ERRORS = [
  UnableToRender,
  ChannelWildcardRefused,
  TopicWildcardRefused,
  GroupMentionRefused,
] as const;

/**
 * Errors about a text, its topic, or its destination given by ID. See protocol/saved#checks-of-a-scheduled-message,
 * step 8.
 */
export const SENDING_ERRORS = [
  MessageEmpty,
  MessageNullBytes,
  UnableToRender,
  MissingTopic,
  TopicCharacter,
  InvalidRecipientData,
  RecipientsMissing,
  InvalidRecipientId,
  RecipientDeactivated,
  RecipientInaccessible,
  DirectMessagesDisabled,
  DirectMessagesUnauthorized,
  InitiationRefused,
  ChannelIdMissing,
  PostingRefused,
  NotAuthorizedToSend,
  TopicCreationRefused,
  EmptyTopicRefused,
  EmptyTopicOnly,
] as const;
