import { apiError } from '#kernel/errors';

export const WrongPassword = apiError({ message: 'Wrong password!' });
export const TooManyAttempts = apiError<Record<never, never>, { seconds: number }>({
  message: (e) => `You're making too many attempts! Try again in ${e.seconds} seconds.`,
});
export const NewPasswordTooWeak = apiError({ message: 'New password is too weak!' });
export const EmailChangesDisabled = apiError({ message: 'Email address changes are disabled in this organization.' });
/** The account may not have this address. See protocol/settings#address. */
export const AddressRefused = apiError<Record<never, never>, { reason: string }>({ message: (e) => e.reason });
/** The request to change settings of others names nobody. */
export const NoTargets = apiError({ message: 'Either user_ids or group_ids must be provided.' });
