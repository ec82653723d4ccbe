import { apiError } from '#kernel/errors';

export const InvalidStatus = apiError<Record<never, never>, { status: string }>({
  message: (e) => `Invalid status: ${e.status}`,
});
export const BotsHaveNoPresence = apiError({ message: 'Presence is not supported for bot users.' });
export const NoPresence = apiError<Record<never, never>, { user: string }>({
  message: (e) => `No presence data for ${e.user}`,
});
