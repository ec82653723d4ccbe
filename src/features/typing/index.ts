import { slice } from '#kernel/slice';
import { typingEndpoints } from './endpoints.ts';
import { typingEditEvents, typingEvents } from './events.ts';

export const typing = slice({
  name: 'typing',
  endpoints: typingEndpoints,
  events: [typingEvents.start, typingEvents.stop, typingEditEvents.start, typingEditEvents.stop],
});
