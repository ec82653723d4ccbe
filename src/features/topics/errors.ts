import { apiError } from '#kernel/errors';
import { MAX_POLICIES } from './rules.ts';

export const TopicNotMuted = apiError({ message: 'Topic is not muted' });
export const InvalidChannelName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid channel name '${e.name}'`,
});
/** Somebody wants something special of more topics than anybody follows by hand. */
export const TooManyPolicies = apiError({
  message: `You can mute, unmute or follow at most ${MAX_POLICIES} topics.`,
});
export const DeletingTopicRefused = apiError({ message: "You don't have permission to delete this topic" });
