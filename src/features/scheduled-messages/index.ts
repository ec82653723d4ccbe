import { applier, slice } from '#kernel/slice';
import { applyScheduledEvent } from './apply.ts';
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
  applies: [applier(['scheduled_messages'], ['scheduled_messages'], applyScheduledEvent)],
  jobs: [deliveryJob],
});
