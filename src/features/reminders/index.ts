import { applier, slice } from '#kernel/slice';
import { applyReminderEvent } from './apply.ts';
import { deliveryJob } from './delivery.ts';
import { reminderEndpoints } from './endpoints.ts';
import { reminderEvents } from './events.ts';
import { reminderState } from './state.ts';
import { reminder } from './tables.ts';

export const reminders = slice({
  name: 'reminders',
  tables: [reminder],
  endpoints: reminderEndpoints,
  events: reminderEvents,
  state: [reminderState],
  applies: [applier(['reminders'], ['reminders'], applyReminderEvent)],
  jobs: [deliveryJob],
});
