import { apiError } from '#kernel/errors';

/** Somebody who deactivates an organization by mistake needs time to notice. */
export const DeletionTooSoon = apiError<Record<never, never>, { days: number }>({
  message: (e) => `Data deletion time must be at least ${e.days} days in the future.`,
});
