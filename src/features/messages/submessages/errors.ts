import { apiError } from '#kernel/errors';

export const SubmessageRefused = apiError({ message: 'You cannot attach a submessage to this message.' });
export const SubmessageNotJson = apiError({ message: 'Invalid json for submessage' });
/** The message, or the caller in it, has the most parts that are allowed. */
export const TooManyParts = apiError({ message: 'Too much was added to this message.' });
/** The data of a poll or a to-do list is invalid. */
export const WidgetDataInvalid = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
