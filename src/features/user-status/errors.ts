import { EMOJI_ERRORS } from '#features/emoji';
import { apiError } from '#kernel/errors';

export const StatusTooLong = apiError<Record<never, never>, { limit: number }>({
  message: (e) => `status_text is too long (limit: ${e.limit} characters)`,
});
export const NothingNew = apiError({ message: 'Client did not pass any new values.' });
export const EmojiNameMissing = apiError({
  message: 'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
});
export const UserIsDeactivated = apiError({ message: 'User is deactivated' });

/** All errors of setting a status. */
export const STATUS_ERRORS = [StatusTooLong, NothingNew, EmojiNameMissing, ...EMOJI_ERRORS];
