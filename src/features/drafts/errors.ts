import { apiError } from '#kernel/errors';

// See protocol/saved#drafts.

export const DraftsDisabled = apiError({ message: 'User has disabled synchronizing drafts.' });
/** The ID is unknown, or the draft is another user's. */
export const DraftMissing = apiError({ status: 404, message: 'Draft does not exist' });
export const OneChannelOnly = apiError({ message: 'Must specify exactly 1 channel ID for channel messages' });
export const NegativeTimestamp = apiError({ message: 'Timestamp must not be negative.' });
export const TopicNullBytes = apiError({ message: 'Topic must not contain null bytes' });
