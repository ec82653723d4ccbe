import { apiError } from '#kernel/errors';

/** Unknown, or not visible to the caller. */
export const NoSuchUser = apiError({ message: 'No such user' });
/** A person's name is not allowed; `nameRefusal` has the texts. */
export const NameFault = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
