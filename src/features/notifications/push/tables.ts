import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Messages that are shown on somebody's phone, until they are read or deleted. */
export const pushedMessage = table('pushed_message', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  message_id: col.ref<MessageId>(),
});

declare module '#kernel/store' {
  interface Tables {
    pushed_message: RowOf<typeof pushedMessage>;
  }
}
