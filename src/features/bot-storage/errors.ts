import { apiError } from '#kernel/errors';

export const KeyMissing = apiError({ message: 'Key does not exist.' });
export const StorageExceeded = apiError<Record<never, never>, { excess: number; limit: number }>({
  message: (e) => `Request exceeds storage limit by ${e.excess} characters. The limit is ${e.limit} characters.`,
});
