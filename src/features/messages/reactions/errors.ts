import { apiError } from '#kernel/errors';

export const ReactionExists = apiError({ code: 'REACTION_ALREADY_EXISTS', message: 'Reaction already exists.' });
export const ReactionMissing = apiError({ code: 'REACTION_DOES_NOT_EXIST', message: "Reaction doesn't exist." });
/** Most emoji of one message: readers of the message get all reactions. See protocol/reactions#reactions. */
export const MAX_EMOJI = 200;
export const TooManyEmoji = apiError({ message: `A message can have at most ${MAX_EMOJI} different reactions.` });
export const EmojiArgumentMissing = apiError({
  message: 'At least one of the following arguments must be present: emoji_name, emoji_code',
});
