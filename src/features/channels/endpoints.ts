import { readEndpoints } from './listing/index.ts';
import { defaultEndpoints, manageEndpoints } from './managing/index.ts';
import { subscriptionEndpoints } from './subscriptions/index.ts';

export const channelEndpoints = [...manageEndpoints, ...readEndpoints, ...defaultEndpoints, ...subscriptionEndpoints];
