import { TooManyTexts } from '#features/users';
import { InvalidMessage } from '#features/messages';
import { endpoint, everyone, json, path, raw, withDefault } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { idOf, int, list, text } from '#kernel/schema';
import { addReminder, removeReminder } from './actions.ts';
import { NotInFuture, ReminderMissing } from './errors.ts';
import { listWireReminders } from './listing.ts';
import type { ReminderId } from './tables.ts';
import { wireReminder } from './wire.ts';

/** Longest note, in code points; `max_reminder_note_length` of the register response. */
const MAX_NOTE = 1000;

const createReminder = endpoint({
  id: 'create-message-reminder',
  method: 'POST',
  path: '/reminders',
  source: 'protocol/saved#reminders',
  since: 381,
  doc: 'Schedules a reminder of a message, which the notification bot sends to the caller.',
  who: everyone,
  params: {
    message_id: json(idOf<MessageId>()),
    scheduled_delivery_timestamp: json(int(), 'Seconds since 1970; in the future.'),
    note: withDefault(raw(text({ max: MAX_NOTE, trim: true }), "The caller's own words."), ''),
  },
  returns: { reminder_id: idOf<ReminderId>() },
  fails: [InvalidMessage, NotInFuture, TooManyTexts],
  async run({ actor, params, context }) {
    const { id } = await addReminder(context, actor, {
      messageId: params.message_id,
      deliverAt: params.scheduled_delivery_timestamp,
      note: params.note,
    });
    return { reminder_id: id };
  },
});

const getReminders = endpoint({
  id: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  source: 'protocol/saved#reminders',
  since: 399,
  doc: "The caller's reminders that were not delivered yet.",
  who: everyone,
  params: {},
  returns: { reminders: list(wireReminder) },
  async run({ actor, context }) {
    return { reminders: await context.store.as(actor).query((tx) => listWireReminders(tx)) };
  },
});

const deleteReminderEndpoint = endpoint({
  id: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  source: 'protocol/saved#reminders',
  since: 399,
  doc: 'Deletes a reminder of the caller that was not delivered yet.',
  who: everyone,
  params: { reminder_id: path(idOf<ReminderId>()) },
  returns: {},
  fails: [ReminderMissing],
  async run({ actor, params, context }) {
    await removeReminder(context, actor, params.reminder_id);
    return {};
  },
});

export const reminderEndpoints = [createReminder, getReminders, deleteReminderEndpoint];
