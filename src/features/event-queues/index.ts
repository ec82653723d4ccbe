import { slice } from '#kernel/slice';
import { heartbeat, queuesEnded } from '#kernel/events';
import { eventEndpoints } from './endpoints.ts';

/** Without `POST /register`, which is made of what all slices declare, by the composition root. */
export const eventQueues = slice({ name: 'event-queues', endpoints: eventEndpoints, events: [heartbeat, queuesEnded] });

export { eventsEndpoint, registerEndpoint } from './endpoints.ts';
export { warmUp } from './warm-up.ts';
