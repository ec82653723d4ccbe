import { apiError } from '#kernel/errors';

/** No hint of this name. See protocol/settings#small-operations. */
export const UnknownStep = apiError<Record<never, never>, { name: string }>({
  message: ({ name }) => `Unknown onboarding_step: ${name}`,
});
