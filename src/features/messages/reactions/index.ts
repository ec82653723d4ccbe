// Emoji under messages.
export { reactionEndpoints } from './endpoints.ts';
export { reactionEvents } from './events.ts';
