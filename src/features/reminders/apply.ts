import type { WireReminder } from './wire.ts';

/** A client's state about reminders. */
export interface RemindersState {
  readonly reminders: readonly WireReminder[];
}

type ReminderEvent =
  | { readonly op: 'add'; readonly reminders: readonly WireReminder[] }
  | { readonly op: 'remove'; readonly reminder_id: number };

/** The state after a `reminders` event; the next reminder comes first. */
export function applyReminderEvent({ reminders }: RemindersState, event: ReminderEvent): RemindersState {
  if (event.op === 'remove')
    return { reminders: reminders.filter(({ reminder_id }) => reminder_id !== event.reminder_id) };
  return { reminders: [...reminders, ...event.reminders].toSorted(byTime) };
}

function byTime(a: WireReminder, b: WireReminder): number {
  return a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id;
}
