import { apiError } from '#kernel/errors';

export const SubmessageRefused = apiError({ message: 'You cannot attach a submessage to this message.' });
export const SubmessageNotJson = apiError({ message: 'Invalid json for submessage' });
/** What is wrong with the data of a poll or a to-do list. */
export const WidgetDataInvalid = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
