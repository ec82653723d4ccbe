import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Pairs of users: one has muted the other. */
export const mutedUser = table('muted_user', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  muted_user_id: col.ref<UserId>(),
  /** Seconds since 1970. */
  muted_at: col.int(),
});
export type MutedUserRow = SelectOf<typeof mutedUser>;

declare module '#kernel/store' {
  interface Tables {
    muted_user: RowOf<typeof mutedUser>;
  }
}
