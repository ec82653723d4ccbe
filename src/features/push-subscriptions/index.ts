import { slice } from '#kernel/slice';
import { pushSubscriptionEndpoints } from './endpoints.ts';
import { onKeyEnded } from './actions.ts';
import { pushSubscription } from './tables.ts';

export const pushSubscriptions = slice({
  name: 'push-subscriptions',
  tables: [pushSubscription],
  reads: ['session', 'user'],
  endpoints: pushSubscriptionEndpoints,
  on: [onKeyEnded],
});

export { deliver, type Result, type Delivery, recordResults } from './deliver.ts';
export { hasSubscriptions, subscriptionsOf } from './queries.ts';
export type { SubscriptionRow } from './tables.ts';
