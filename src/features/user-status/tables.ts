import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Statuses of people. Empty texts mean that nothing is set. See protocol/status#setting. */
export const userStatus = table('user_status', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** At most 60 code points. */
  status_text: col.text(),
  emoji_name: col.text(),
  emoji_code: col.text(),
  reaction_type: col.text(),
});
export type UserStatusRow = SelectOf<typeof userStatus>;

declare module '#kernel/store' {
  interface Tables {
    user_status: RowOf<typeof userStatus>;
  }
}
