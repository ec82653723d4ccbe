// Votes and answers to widgets of messages.
export { addSubmessageEndpoint } from './endpoints.ts';
export { submessageAdded } from './events.ts';
