import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listWireReminders } from './listing.ts';
import { wireReminder } from './wire.ts';

/** Reminders of the caller that were not delivered yet. See protocol/saved#reminders. */
export const reminderState = registerState({
  fetchType: 'reminders',
  source: 'protocol/saved#reminders',
  fields: { reminders: list(wireReminder) },
  read: async ({ tx }) => ({ reminders: await listWireReminders(tx) }),
});
