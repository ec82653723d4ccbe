import { apiError } from '#kernel/errors';

export const WrongPassword = apiError({ message: 'Wrong password!' });
export const TooManyAttempts = apiError<Record<never, never>, { seconds: number }>({
  message: (e) => `You're making too many attempts! Try again in ${e.seconds} seconds.`,
});
export const NewPasswordTooWeak = apiError({ message: 'New password is too weak!' });
export const EmailChangesDisabled = apiError({ message: 'Email address changes are disabled in this organization.' });
/** Why an address may not become that of an account. See protocol/settings#address. */
export const AddressRefused = apiError<Record<never, never>, { reason: string }>({ message: (e) => e.reason });
/** An administrator changes settings of others, but of nobody. */
export const NoTargets = apiError({ message: 'Either user_ids or group_ids must be provided.' });
