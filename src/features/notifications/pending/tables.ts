import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';
import type { Trigger } from '../rules.ts';

/** Messages that somebody who was away is to get by mail, unless they read them first. */
export const missedMessage = table('missed_message', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  message_id: col.ref<MessageId>(),
  reason: col.text<Trigger>(),
  /** Seconds since 1970 when the mail is due; that of the first message holds for those that follow. */
  due_at: col.int(),
});
export type MissedRow = SelectOf<typeof missedMessage>;

declare module '#kernel/store' {
  interface Tables {
    missed_message: RowOf<typeof missedMessage>;
  }
}
