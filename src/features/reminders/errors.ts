import { apiError } from '#kernel/errors';

/** Unknown, somebody else's, or delivered. See protocol/saved#reminders. */
export const ReminderMissing = apiError({ status: 404, message: 'Reminder does not exist' });
export const NotInFuture = apiError({ message: 'Scheduled delivery time must be in the future.' });
