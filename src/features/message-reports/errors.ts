import { apiError } from '#kernel/errors';

export const NoModerationChannel = apiError({
  message: 'Moderation request channel must be specified to enable message reporting.',
});
export const ExplanationRequired = apiError({ message: 'An explanation is required.' });
