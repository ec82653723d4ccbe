import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listReminders } from './queries.ts';
import { toWireReminder, wireReminder } from './wire.ts';

/** Reminders of the caller that were not delivered yet. See protocol/saved#reminders. */
export const reminderState = registerState({
  fetchType: 'reminders',
  source: 'protocol/saved#reminders',
  fields: { reminders: list(wireReminder) },
  read: async ({ tx }) => ({
    reminders: tx.actor ? (await listReminders(tx, tx.actor.userId)).map(toWireReminder) : [],
  }),
});
