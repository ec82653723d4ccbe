import { ListFull } from '#features/realms';
import { apiError } from '#kernel/errors';

// Definitions: protocol/profile-fields#definitions.

export const FieldMissing = apiError<Record<never, never>, { id: number }>({
  message: ({ id }) => `Field id ${id} not found.`,
});
export const TooManyInSummary = apiError({
  message: 'Only 2 custom profile fields can be displayed in the profile summary.',
});
export const NoChoice = apiError({ message: 'Field must have at least one choice.' });
export const DuplicateChoices = apiError({ message: 'Field must not have duplicate choices.' });
export const BlankChoiceKey = apiError({ message: "'value' cannot be blank." });
export const BlankLabel = apiError({ message: 'Label cannot be blank.' });
export const InvalidFieldType = apiError({ message: 'Invalid field type.' });
export const NotForSummary = apiError({ message: 'Field type not supported for display in profile summary.' });
export const LabelTaken = apiError({ message: 'A field with that label already exists.' });
export const InvalidAccountType = apiError({ message: 'Invalid external account type' });
export const UrlPatternMissing = apiError({ message: 'Custom external account must define URL pattern' });
export const UrlPatternWithoutName = apiError({ message: "URL pattern must contain '%(username)s'." });
export const DefaultFieldFixed = apiError({ message: 'Default custom field cannot be updated.' });
export const InvalidFieldOrder = apiError({ message: 'Invalid order mapping.' });

/** Errors of a definition. */
export const DEFINITION_ERRORS = [
  TooManyInSummary,
  NoChoice,
  DuplicateChoices,
  BlankChoiceKey,
  BlankLabel,
  InvalidFieldType,
  NotForSummary,
  LabelTaken,
  InvalidAccountType,
  UrlPatternMissing,
  UrlPatternWithoutName,
  ListFull,
];

// Values: protocol/profile-fields#values. `name` is the label of the field.

export const FieldLocked = apiError({
  message: 'You are not allowed to change this field. Contact an administrator to update it.',
});
interface Named {
  readonly name: string;
}
export const NotAText = apiError<Record<never, never>, Named>({ message: ({ name }) => `${name} is not a string` });
export const TextTooLong = apiError<Record<never, never>, Named & { readonly max: number }>({
  message: ({ name, max }) => `${name} is too long (limit: ${max} characters)`,
});
export const NotAChoice = apiError<Record<never, never>, Named & { readonly value: string }>({
  message: ({ name, value }) => `'${value}' is not a valid choice for '${name}'.`,
});
export const NotADate = apiError<Record<never, never>, Named>({ message: ({ name }) => `${name} is not a date` });
export const NotAnAddress = apiError<Record<never, never>, Named>({ message: ({ name }) => `${name} is not a URL` });
export const UsersNotAList = apiError({ message: 'User IDs is not a list' });
export const UserNotAnInteger = apiError<Record<never, never>, { readonly index: number }>({
  message: ({ index }) => `User IDs[${index}] is not an integer`,
});
export const InvalidUsers = apiError<Record<never, never>, { readonly ids: string }>({
  message: ({ ids }) => `Invalid user IDs: ${ids}`,
});
export const UserDeactivated = apiError<Record<never, never>, { readonly id: number }>({
  message: ({ id }) => `User with ID ${id} is deactivated`,
});
export const UserIsBot = apiError<Record<never, never>, { readonly id: number }>({
  message: ({ id }) => `User with ID ${id} is a bot`,
});

/** Errors of a change of profile data. */
export const PROFILE_ERRORS = [
  FieldMissing,
  FieldLocked,
  NotAText,
  TextTooLong,
  NotAChoice,
  NotADate,
  NotAnAddress,
  UsersNotAList,
  UserNotAnInteger,
  InvalidUsers,
  UserDeactivated,
  UserIsBot,
];
