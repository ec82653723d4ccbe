// Votes and answers to widgets of messages.
export { addSubmessageEndpoint } from './endpoints.ts';
export { submessageAdded } from './events.ts';
export { MOST_PARTS } from './rules.ts';
