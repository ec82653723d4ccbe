import { apiError } from '#kernel/errors';

export const EmailInvalid = apiError({ message: 'Enter a valid email address.' });
export const AuthenticationFailed = apiError({
  code: 'AUTHENTICATION_FAILED',
  status: 401,
  message: 'Your username or password is incorrect',
});
export const SecondFactorNeeded = apiError({
  code: 'SECOND_FACTOR_REQUIRED',
  status: 401,
  message: 'Your account has a second factor. Log in with a browser.',
});
export const PasswordAuthDisabled = apiError({
  code: 'PASSWORD_AUTH_DISABLED',
  status: 401,
  message: 'Password authentication is disabled in this organization',
});
export const ConfirmationFailed = apiError({ status: 403, message: 'That is not correct.' });
/** Only browser sessions can be confirmed; API keys need no confirmation. */
export const SessionNeeded = apiError({ status: 403, message: 'Only the session of a browser can be confirmed.' });
/** Checked by `GET /compatibility` only; other operations take any agent. */
export const AgentMissing = apiError({ message: 'User-Agent header missing from request' });
export const ClientTooOld = apiError({ message: 'Client is too old' });
export const NotInProduction = apiError({ message: 'Endpoint not available in production.' });
export const DevAuthDisabled = apiError({ message: 'DevAuthBackend not enabled.' });
export const DirectoryAway = apiError({
  code: 'DIRECTORY_UNAVAILABLE',
  status: 503,
  message: 'The directory of your organization does not answer at the moment. Try again later.',
});
/** The directory accepts the person, but this server does not let them in for another reason. */
export const NotAdmitted = apiError<Record<never, never>, { why: string }>({
  status: 403,
  message: (e) => e.why,
});
export const OwnersLockedOut = apiError({
  message: 'No owner could log in any more. First connect the account of an owner to another way to log in.',
});
