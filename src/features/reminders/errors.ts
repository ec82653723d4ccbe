import { apiError } from '#kernel/errors';

/** The reminder does not exist, belongs to somebody else, or was delivered. See protocol/saved#reminders. */
export const ReminderMissing = apiError({ status: 404, message: 'Reminder does not exist' });
export const NotInFuture = apiError({ message: 'Scheduled delivery time must be in the future.' });
