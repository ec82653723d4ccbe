import { slice } from '#kernel/slice';
import { pushSubscriptionEndpoints } from './endpoints.ts';
import { onDeviceKeyEnded, onKeyEnded } from './actions.ts';
import { pushSubscription } from './tables.ts';

export const pushSubscriptions = slice({
  name: 'push-subscriptions',
  tables: [pushSubscription],
  reads: ['session', 'user'],
  endpoints: pushSubscriptionEndpoints,
  on: [onKeyEnded, onDeviceKeyEnded],
});

export { deliver, type Result, type Delivery, recordResults } from './deliver.ts';
export { hasSubscriptions, subscriptionsOf } from './queries.ts';
export type { SubscriptionRow } from './tables.ts';
