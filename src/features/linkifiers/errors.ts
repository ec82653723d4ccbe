import { apiError } from '#kernel/errors';
import { type FieldErrors, firstMessage } from '#kernel/markdown';

/** Faults of the fields; the message is the first of them. See protocol/linkifiers#adding. */
export const LinkifierInvalid = apiError<{ errors: 'any' }, { first: string }>({
  extra: { errors: 'any' },
  message: (e) => e.first,
});
export const ExampleRequired = apiError({
  extra: { required_parameter: 'string', set_parameter: 'string' },
  message: 'Example text is required when auto-conversion field is set.',
});
export const LinkifierMissing = apiError({ message: 'Linkifier not found.' });
export const OrderDuplicates = apiError({ message: 'The ordered list must not contain duplicated linkifiers' });
export const OrderIncomplete = apiError({
  message: 'The ordered list must enumerate all existing linkifiers exactly once',
});

/** The error with all faults of the fields. */
export const invalidFields = (errors: FieldErrors) => LinkifierInvalid({ errors, first: firstMessage(errors) });
