// Emoji under messages.
export { reactionEndpoints } from './endpoints.ts';
export { MAX_EMOJI } from './errors.ts';
export { reactionEvents } from './events.ts';
