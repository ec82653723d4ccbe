import { slice } from '#kernel/slice';
import { deliveryJob } from './delivery.ts';
import { scheduledEndpoints } from './endpoints.ts';
import { scheduledEvents } from './events.ts';
import { scheduledState } from './state.ts';
import { scheduledMessage } from './tables.ts';

export const scheduledMessages = slice({
  name: 'scheduled-messages',
  tables: [scheduledMessage],
  endpoints: scheduledEndpoints,
  events: scheduledEvents,
  state: [scheduledState],
  jobs: [deliveryJob],
});

export { applyScheduledEvent } from './apply.ts';
