import { apiError } from '#kernel/errors';

// See protocol/saved#navigation-views.

/** Unknown, or only somebody else's. */
export const ViewMissing = apiError({ status: 404, message: 'Navigation view does not exist.' });
export const ViewExists = apiError({ message: 'Navigation view already exists.' });
export const BuiltInNamed = apiError({ message: 'Built-in views cannot have a custom name.' });
export const NameNeeded = apiError({ message: 'Custom views must have a valid name.' });
/** A user keeps more views than anybody needs. */
export const TooManyViews = apiError<Record<never, never>, { max: number }>({
  message: ({ max }) => `You can have at most ${max} navigation views.`,
});
