import type { Id, MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type ReminderId = Id<'Reminder'>;

/** Messages that people want to be reminded of; delivered reminders are kept. */
export const reminder = table('reminder', {
  id: col.id<ReminderId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** The message it is about, which may have been deleted. */
  message_id: col.ref<MessageId>(),
  /** The owner's note; empty for none. */
  note: col.text(),
  /** The text of the reminder when it was made. */
  content: col.text(),
  rendered_content: col.text(),
  /** Seconds since 1970. */
  deliver_at: col.int(),
  failed: col.bool(),
  delivered_at: col.intOrNull(),
});
export type ReminderRow = SelectOf<typeof reminder>;

declare module '#kernel/store' {
  interface Tables {
    reminder: RowOf<typeof reminder>;
  }
}
