import { apiError } from '#kernel/errors';
import { type FieldErrors, firstMessage } from '#kernel/markdown';

export const LanguageCharacters = apiError({ message: 'Invalid characters in pygments language' });
export const PlaygroundMissing = apiError({ message: 'Invalid playground' });
/** Faults of the fields; the message is the first of them. See protocol/linkifiers#playgrounds. */
export const PlaygroundInvalid = apiError<{ errors: 'any' }, { first: string }>({
  extra: { errors: 'any' },
  message: (e) => e.first,
});

/** The error with all faults of the fields. */
export const invalidFields = (errors: FieldErrors) => PlaygroundInvalid({ errors, first: firstMessage(errors) });
