import type { MessageId, UserId } from '#kernel/ids';
import { bool, idOf, list, literal, object, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { ReminderId, ReminderRow } from './tables.ts';

/** A reminder as clients see it. See protocol/saved#reminders. */
export const wireReminder = object({
  reminder_id: idOf<ReminderId>(),
  type: literal('private'),
  to: list(idOf<UserId>()),
  content: str(),
  rendered_content: str(),
  scheduled_delivery_timestamp: timestamp(),
  failed: bool(),
  reminder_target_message_id: idOf<MessageId>(),
}).meta({ id: 'Reminder' });
export type WireReminder = SchemaOf<typeof wireReminder>;

export function toWireReminder(row: ReminderRow): WireReminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: [row.user_id],
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed,
    reminder_target_message_id: row.message_id,
  };
}
