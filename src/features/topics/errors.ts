import { apiError } from '#kernel/errors';

export const TopicNotMuted = apiError({ message: 'Topic is not muted' });
export const InvalidChannelName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid channel name '${e.name}'`,
});
export const DeletingTopicRefused = apiError({ message: "You don't have permission to delete this topic" });
