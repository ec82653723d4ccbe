import { apiError } from '#kernel/errors';

/** There is no hint with this name. See protocol/settings#small-operations. */
export const UnknownStep = apiError<Record<never, never>, { name: string }>({
  message: ({ name }) => `Unknown onboarding_step: ${name}`,
});
