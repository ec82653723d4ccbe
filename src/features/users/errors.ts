import { apiError } from '#kernel/errors';

/** Unknown, or not visible to the caller. */
export const NoSuchUser = apiError({ message: 'No such user' });
/** What is wrong with a person's name; `nameRefusal` has the texts. */
export const NameFault = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
