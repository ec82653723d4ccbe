import { apiError } from './api-error.ts';

/** No credentials where some are needed. See protocol/authentication#credentials, row 1. */
export const Unauthorized = apiError({
  code: 'UNAUTHORIZED',
  status: 401,
  message: 'Not logged in: API authentication or user session required',
});
export const BasicAuthRequired = apiError({ message: 'This endpoint requires HTTP basic authentication.' });
export const BadAuthorizationHeader = apiError({
  code: 'UNAUTHORIZED',
  status: 401,
  message: 'Invalid authorization header for basic auth',
});
/** The organization has another address now, to which `location` leads. See protocol/organizations#moving. */
export const OrganizationMoved = apiError({
  code: 'NONEXISTENT_SUBDOMAIN',
  status: 308,
  extra: { location: 'string' },
  message: 'Invalid subdomain',
});
export const UnknownHost = apiError({ code: 'NONEXISTENT_SUBDOMAIN', status: 404, message: 'Invalid subdomain' });
export const MalformedApiKey = apiError({ code: 'INVALID_API_KEY', status: 401, message: 'Malformed API key' });
export const InvalidApiKey = apiError({ code: 'INVALID_API_KEY', status: 401, message: 'Invalid API key' });
export const RealmDeactivated = apiError({
  code: 'REALM_DEACTIVATED',
  status: 401,
  message: 'This organization has been deactivated',
});
export const UserDeactivated = apiError({
  code: 'USER_DEACTIVATED',
  status: 401,
  message: 'Account is deactivated',
});
export const IncomingWebhookBot = apiError({
  code: 'UNAUTHORIZED',
  status: 401,
  message: 'This API is not available to incoming webhook bots.',
});
/** A read-only key was used for an operation that changes something. */
export const KeyOnlyReads = apiError({ code: 'KEY_SCOPE', status: 403, message: 'This key may only read.' });
/** See protocol/authentication#confirmation. */
export const KeyNotEnough = apiError({
  code: 'KEY_SCOPE',
  status: 403,
  message: 'This needs a browser, or the API key of the account.',
});
export const ConfirmationNeeded = apiError({
  code: 'CONFIRMATION_REQUIRED',
  status: 403,
  message: 'Confirm first that it is you.',
});
export const CsrfFailed = apiError({
  code: 'CSRF_FAILED',
  status: 403,
  extra: { reason: 'string' },
  message: (e) => `CSRF error: ${e.reason}`,
});
export const RateLimited = apiError({
  code: 'RATE_LIMIT_HIT',
  status: 429,
  extra: { 'retry-after': 'number' },
  message: () => 'API usage exceeded rate limit',
});

export const GuestsNotAllowed = apiError({ message: 'Not allowed for guest users' });
export const BotsNotAllowed = apiError({ message: 'This endpoint does not accept bot requests.' });
export const AdministratorRequired = apiError({
  code: 'UNAUTHORIZED_PRINCIPAL',
  message: 'Must be an organization administrator',
});
export const OwnerRequired = apiError({ code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' });
/** A group setting that the caller does not hold, or a user out of reach. */
export const InsufficientPermission = apiError({ message: 'Insufficient permission' });
export const QueryNotAuthorized = apiError({ message: 'User not authorized for this query' });

export const ParameterMissing = apiError({
  code: 'REQUEST_VARIABLE_MISSING',
  extra: { var_name: 'string' },
  message: (e) => `Missing '${e.var_name}' argument`,
});
export const ParameterInvalid = apiError({
  code: 'REQUEST_VARIABLE_INVALID',
  extra: { var_name: 'string', bad_value: 'any' },
  message: (e) =>
    `Bad value for '${e.var_name}': ${typeof e.bad_value === 'string' ? e.bad_value : JSON.stringify(e.bad_value)}`,
});
export const ParametersConfusing = apiError({
  code: 'REQUEST_CONFUSING_VAR',
  extra: { var_name1: 'string', var_name2: 'string' },
  message: (e) => `Can't decide between '${e.var_name1}' and '${e.var_name2}' arguments`,
});
/** Any fault of one parameter that has no code of its own. See protocol/errors#parameter-faults. */
export const ParameterFault = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
/** A body that says it is JSON and is not. See protocol/errors#codes. */
export const JsonMalformed = apiError({ code: 'INVALID_JSON', message: 'Malformed JSON' });
export const ParametersIncompatible = apiError({
  extra: { parameters: 'string' },
  message: (e) => `Unsupported parameter combination: ${e.parameters}`,
});
export const ParameterDependent = apiError({
  extra: { required_parameter: 'string', set_parameter: 'string' },
  message: (e) => `${e.required_parameter} is required when ${e.set_parameter} is set.`,
});

export const RouteMissing = apiError({ status: 404, message: 'API endpoint does not exist' });
export const MethodNotAllowed = apiError({
  status: 405,
  extra: { allowed_methods: 'strings' },
  message: () => 'Method Not Allowed',
});
export const BodyTooLarge = apiError({ status: 413, message: 'Request body is too large' });
export const BodyTooSlow = apiError({ status: 408, message: 'Request body came too slowly' });
export const HeadTooLarge = apiError({ status: 431, message: 'Request headers are too large' });
export const HeadTooSlow = apiError({ status: 408, message: 'Request headers came too slowly' });
/** A malformed request. See protocol/errors#unknown-routes. */
export const RequestMalformed = apiError({ message: 'Malformed request' });
export const BodyMalformed = apiError({ message: 'Malformed request body' });
/** Answers a request that arrives while the server shuts down; another process, or the next one, may take it. */
export const ServerEnding = apiError({
  code: 'SERVER_NOT_READY',
  status: 503,
  extra: { 'retry-after': 'number' },
  message: () => 'The server is shutting down',
});
/** Answers a request for which this process has no memory or connection left. */
export const ServerBusy = apiError({
  code: 'SERVER_NOT_READY',
  status: 503,
  extra: { 'retry-after': 'number' },
  message: () => 'The server is busy',
});
/** The database is away or takes nothing now; the same request may succeed after `retry-after` seconds. */
export const ServerUnavailable = apiError({
  code: 'SERVER_NOT_READY',
  status: 503,
  extra: { 'retry-after': 'number' },
  message: () => 'The server is temporarily unavailable',
});
export const InternalError = apiError({
  code: 'INTERNAL_SERVER_ERROR',
  status: 500,
  message: 'Internal server error',
});
