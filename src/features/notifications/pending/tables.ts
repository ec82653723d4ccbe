import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';
import type { Trigger } from '../rules.ts';

/** Messages to mail to somebody who was away, unless they read them first. */
export const missedMessage = table('missed_message', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  message_id: col.ref<MessageId>(),
  reason: col.text<Trigger>(),
  /** Seconds since 1970 when the mail is due; the due time of the first message also applies to later ones. */
  due_at: col.int(),
});
export type MissedRow = SelectOf<typeof missedMessage>;

declare module '#kernel/store' {
  interface Tables {
    missed_message: RowOf<typeof missedMessage>;
  }
}
