import { apiError } from '#kernel/errors';

export const NothingToChange = apiError({ message: 'Nothing to change' });
export const RecipientRequired = apiError({
  message: 'Recipient required when updating type of scheduled message.',
});
export const TopicRequired = apiError({
  message: 'Topic required when updating scheduled message type to channel.',
});
export const NotInFuture = apiError({ message: 'Scheduled delivery time must be in the future.' });
/**
 * The message does not exist, belongs to somebody else, or was delivered and can no longer be undone. See
 * protocol/saved#editing-a-scheduled-message, check 5.
 */
export const ScheduledMissing = apiError({ status: 404, message: 'Scheduled message does not exist' });
export const AlreadySent = apiError({ message: 'Scheduled message was already sent' });
export const InvalidChannelIdData = apiError({ message: 'Invalid data type for channel ID' });
