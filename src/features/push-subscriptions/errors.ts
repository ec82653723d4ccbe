import { apiError } from '#kernel/errors';

/** Not an address of a push service. See protocol/push#subscriptions, check 1. */
export const InvalidEndpoint = apiError({ message: 'Invalid push endpoint' });
/** See protocol/push#subscriptions, check 2. */
export const InvalidSubscriptionKeys = apiError({ message: 'Invalid push subscription keys' });
/** The caller has no such subscription. See protocol/push#subscriptions, check 3. */
export const SubscriptionMissing = apiError({ status: 404, message: 'Push subscription does not exist' });
/** The push service did not accept the notification. See protocol/push#subscriptions, check 4. */
export const NotTaken = apiError({ status: 502, message: 'The push service did not take the notification' });
