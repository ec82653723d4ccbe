import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** When each person was last seen. See protocol/presence#state. */
export const presence = table('presence', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** Seconds since 1970 when the person last used a device; null if no client has reported that. */
  last_active_at: col.intOrNull(),
  /** Seconds since 1970 of the last ping; never before `last_active_at`. */
  last_connected_at: col.int(),
  /** Unique in the organization, and greater than the ID of every earlier write. */
  update_id: col.int(),
});
export type PresenceRow = SelectOf<typeof presence>;

/** The newest `update_id` of each organization; a transaction that writes presences locks its row until the commit. */
export const presenceCounter = table('presence_counter', {
  realm_id: col.ref<RealmId>(),
  newest_update_id: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    presence: RowOf<typeof presence>;
    presence_counter: RowOf<typeof presenceCounter>;
  }
}
