import { apiError } from '#kernel/errors';

/** The server uses no push service. See protocol/push#registering. */
export const PushNotConfigured = apiError({
  code: 'PUSH_SERVICE_NOT_CONFIGURED',
  message: 'Server is not configured to use push notification service.',
});
/** The caller has no such device. See protocol/push#registering, check 3. */
export const InvalidDevice = apiError({ message: 'Invalid `device_id`' });
/** See protocol/push#registering, check 4. */
export const IncompleteRegistration = apiError({
  message: 'Missing parameters: must provide either all push key fields, all token fields, or both.',
});
/** See protocol/push#registering, check 5. */
export const NoKeyToRotate = apiError({ message: 'No push registration exists to rotate key for.' });
/** See protocol/push#registering, checks 6 and 9. */
export const InvalidPushKey = apiError({ message: 'Invalid `push_key`' });
/** See protocol/push#registering, check 7. */
export const RegistrationInProgress = apiError({ message: 'A registration for the device already in progress.' });
/** See protocol/push#registering, check 8. */
export const InvalidTokenId = apiError({ message: 'Invalid `token_id`' });
/** See protocol/push#registering, check 10. */
export const NoTokenToRotate = apiError({ message: 'No push registration exists to rotate token for.' });

/** No device is registered with the push service. See protocol/push#tests. */
export const NoActiveDevice = apiError({
  code: 'NO_ACTIVE_PUSH_DEVICE',
  message: 'No active registered push device',
});
/** The push service refuses the server; only the operator can help. See protocol/push#tests. */
export const AdminActionRequired = apiError({
  code: 'ADMIN_ACTION_REQUIRED',
  status: 403,
  message: 'The push notification service refuses this server. Please contact its administrator.',
});
/** The push service cannot be reached. See protocol/push#devices. */
export const GatewayUnreachable = apiError({
  code: 'FAILED_TO_CONNECT_BOUNCER',
  status: 502,
  message: 'Network error while connecting to the push notification service.',
});
/** The push service fails. See protocol/push#devices. */
export const GatewayBroken = apiError({
  code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  status: 502,
  message: 'Internal server error on the push notification service.',
});

/** Not 1 to 4096 characters. See protocol/push#older-tokens, check 2. */
export const InvalidTokenLength = apiError({ message: 'Empty or invalid length token' });
/** See protocol/push#older-tokens, check 3. */
export const InvalidApnsToken = apiError({ message: 'Invalid APNS token' });
/** See protocol/push#older-tokens, check 4. */
export const NoSuchToken = apiError({ message: 'Token does not exist' });
/** The caller has no such token. See protocol/push#tests. */
export const UnknownToken = apiError({ code: 'INVALID_PUSH_DEVICE_TOKEN', message: 'Device not recognized' });
/** The push service does not know the token. See protocol/push#tests. */
export const TokenUnknownToGateway = apiError({
  code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
  message: 'Device not recognized by the push bouncer',
});
