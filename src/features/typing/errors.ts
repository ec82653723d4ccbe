import { apiError } from '#kernel/errors';

export const TypingChannelMissing = apiError({ message: 'Missing channel ID' });
export const TypingTopicMissing = apiError({ message: 'Missing topic' });
export const NobodyAddressed = apiError({ message: "Empty 'to' list" });
export const ChannelTypingDisabled = apiError({
  message: 'User has disabled typing notifications for channel messages',
});
export const DirectTypingDisabled = apiError({
  message: 'User has disabled typing notifications for direct messages',
});
export const InvalidUserId = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Invalid user ID ${e.id}`,
});
export const TypingRefused = apiError({ message: "You don't have permission to edit this message" });
