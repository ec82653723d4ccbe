import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listReminders } from './queries.ts';
import { toWireReminder, wireReminder } from './wire.ts';

/** Reminders of the caller that were not delivered yet. Contract register 2.3. */
export const reminderState = registerState({
  fetchType: 'reminders',
  eventTypes: ['reminders'],
  source: 'contract register 2.3',
  fields: { reminders: list(wireReminder) },
  read: async ({ tx, realm, actor }) => ({
    reminders: actor ? (await listReminders(tx, realm.id, actor.userId)).map(toWireReminder) : [],
  }),
});
