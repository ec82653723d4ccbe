// Flags that readers set, and messages marked as read.
export { flagEndpoints } from './endpoints.ts';
export { flagEvents } from './events.ts';
export { readWhatIsLeft } from './leaving.ts';
export { readWhatMutedWrote } from './mark-read.ts';
export { Alike } from './alike.ts';
export { tellUnread, tellWhatIsUnread } from './unread-again.ts';
