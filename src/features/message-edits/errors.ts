import { apiError } from '#kernel/errors';

export const HistoryDisabled = apiError({ message: 'Message edit history is disabled in this organization' });
export const DeletingRefused = apiError({ message: "You don't have permission to delete this message" });
export const DeletingTimePassed = apiError({ message: 'The time limit for deleting this message has passed' });
export const MovedMeanwhile = apiError({ message: 'Others are moving this message at the moment. Try again.' });
export const AlreadyDeleted = apiError({ message: 'Message already deleted' });
export const EditingTurnedOff = apiError({ message: 'Your organization has turned off message editing' });
export const EditingRefused = apiError({ message: "You don't have permission to edit this message" });
export const EditingTimePassed = apiError({ message: 'The time limit for editing this message has passed' });
export const NothingToChange = apiError({ message: 'Nothing to change' });
export const ChangedTooOften = apiError({ message: 'This message has been changed too often.' });
export const TooManyMoved = apiError({
  message: 'These are too many messages for so many people. Move them in parts, the newest first.',
});
export const DirectIntoChannel = apiError({ message: 'Direct messages cannot be moved to channels.' });
export const DirectWithTopic = apiError({ message: 'Direct messages cannot have topics.' });
export const PropagationWithoutMove = apiError({ message: 'Invalid propagate_mode without topic edit' });
export const UnnamedResolved = apiError({ message: 'General chat cannot be marked as resolved' });
export const ContentAndChannel = apiError({ message: 'Cannot change message content while changing channel' });
export const WidgetFixed = apiError({ message: 'Widgets cannot be edited.' });
export const ResolvingRefused = apiError({ message: "You don't have permission to resolve topics in this channel." });
export const TopicTimePassed = apiError({ message: "The time limit for editing this message's topic has passed." });
export const MovingRefused = apiError({ message: "You don't have permission to move this message" });
export const ChannelTimePassed = apiError({ message: "The time limit for editing this message's channel has passed" });
export const TopicMoveTimePassed = apiError({ message: 'The time limit for moving this topic has passed.' });
export const PartlyMovable = apiError({
  code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
  extra: {
    first_message_id_allowed_to_move: 'integer',
    total_messages_in_topic: 'integer',
    total_messages_allowed_to_move: 'integer',
  },
  message: (e) =>
    `You only have permission to move the ${e.total_messages_allowed_to_move}/${e.total_messages_in_topic} most recent messages in this topic.`,
});
