import { apiError } from '#kernel/errors';

export const MayNotCreateUsers = apiError({ message: 'User not authorized to create users' });
export const MayNotChangeEmails = apiError({ message: 'User not authorized to change user emails' });
/** The address of a new account is not a valid address. */
export const BadEmail = apiError({ message: 'Bad name or username' });
export const EmailNotAllowed = apiError<Record<never, never>, { email: string }>({
  message: (e) => `Email '${e.email}' not allowed in this organization`,
});
export const DisposableEmail = apiError({ message: 'Disposable email addresses are not allowed in this organization' });
export const EmailWithPlus = apiError({ message: 'Email addresses containing + are not allowed.' });
export const EmailInUse = apiError({ message: 'Email is already in use.' });
export const PasswordTooWeak = apiError({ message: 'The password is too weak.' });
export const InvalidNewEmail = apiError({ message: 'Invalid new email address.' });
export const NewEmailRefused = apiError<Record<never, never>, { why: string }>({
  message: (e) => `New email value error: ${e.why}`,
});
export const LastOwnerRole = apiError({
  message: 'The owner permission cannot be removed from the only organization owner.',
});
export const UserIsDeactivated = apiError({ message: 'User is deactivated' });
export const OnlyOwner = apiError({ message: 'Cannot deactivate the only organization owner' });
/** No person, or no owner, would be left in the organization. See protocol/users#reactivating. */
export const LastUser = apiError({
  code: 'CANNOT_DEACTIVATE_LAST_USER',
  extra: { is_last_owner: 'boolean', entity: 'string' },
  message: (e) => `Cannot deactivate the only ${e.entity}.`,
});
export const BotNameInUse = apiError<Record<never, never>, { name: string }>({
  message: (e) =>
    `There is already an active bot named "${e.name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
});

export const NoSecondFactor = apiError({ message: 'This user has no second factor.' });
