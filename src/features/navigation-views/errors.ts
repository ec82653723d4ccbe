import { apiError } from '#kernel/errors';

// See protocol/saved#navigation-views.

/** The view does not exist, or belongs to somebody else. */
export const ViewMissing = apiError({ status: 404, message: 'Navigation view does not exist.' });
export const ViewExists = apiError({ message: 'Navigation view already exists.' });
export const BuiltInNamed = apiError({ message: 'Built-in views cannot have a custom name.' });
export const NameNeeded = apiError({ message: 'Custom views must have a valid name.' });
/** The user has the most views that are allowed. */
export const TooManyViews = apiError<Record<never, never>, { max: number }>({
  message: ({ max }) => `You can have at most ${max} navigation views.`,
});
