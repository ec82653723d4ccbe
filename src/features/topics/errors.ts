import { apiError } from '#kernel/errors';
import { MAX_POLICIES } from './rules.ts';

export const TopicNotMuted = apiError({ message: 'Topic is not muted' });
export const InvalidChannelName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid channel name '${e.name}'`,
});
/** The user has the most policies that are allowed. */
export const TooManyPolicies = apiError({
  message: `You can mute, unmute or follow at most ${MAX_POLICIES} topics.`,
});
export const DeletingTopicRefused = apiError({ message: "You don't have permission to delete this topic" });
