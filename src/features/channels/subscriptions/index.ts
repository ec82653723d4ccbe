// Subscribing and unsubscribing, and what each subscriber sets for a channel.
export { addSubscribers, subscriptionPayload } from './add.ts';
export { subscriptionEndpoints } from './endpoints.ts';
export { resumeSubscriptions, suspendSubscriptions } from './suspend.ts';
