// Votes and answers to the widgets of messages.
export { addSubmessageEndpoint } from './endpoints.ts';
export { submessageAdded } from './events.ts';
