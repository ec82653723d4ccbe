import { apiError } from '#kernel/errors';

/** Most keys of one account: whoever reads all of them gets them in one answer. See protocol/bots#storage. */
export const MAX_KEYS = 10_000;
export const TooManyKeys = apiError({ message: `There can be at most ${MAX_KEYS} keys in the storage.` });
export const KeyMissing = apiError({ message: 'Key does not exist.' });
export const StorageExceeded = apiError<Record<never, never>, { excess: number; limit: number }>({
  message: (e) => `Request exceeds storage limit by ${e.excess} characters. The limit is ${e.limit} characters.`,
});
