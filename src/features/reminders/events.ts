import { event } from '#kernel/events';
import { idOf, list } from '#kernel/schema';
import type { ReminderId } from './tables.ts';
import { wireReminder } from './wire.ts';

const source = 'protocol/saved#reminders';

/** The owner added a reminder; a list of one. */
export const reminderAdded = event({
  type: 'reminders',
  op: 'add',
  source,
  payload: { reminders: list(wireReminder) },
});

/** A reminder was delivered, or its owner deleted it. */
export const reminderRemoved = event({
  type: 'reminders',
  op: 'remove',
  source,
  payload: { reminder_id: idOf<ReminderId>() },
});

export const reminderEvents = [reminderAdded, reminderRemoved];
