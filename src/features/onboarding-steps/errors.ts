import { apiError } from '#kernel/errors';

/** No hint of this name. Contract surrounding 2.7.2. */
export const UnknownStep = apiError<Record<never, never>, { name: string }>({
  message: ({ name }) => `Unknown onboarding_step: ${name}`,
});
