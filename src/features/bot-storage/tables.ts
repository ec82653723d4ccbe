import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Texts that bots store, by keys that they choose. */
export const botStorage = table('bot_storage', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  storage_key: col.text(),
  storage_value: col.text(),
  /** Code points of key and value together. */
  storage_size: col.int(),
});
export type StoredText = SelectOf<typeof botStorage>;

declare module '#kernel/store' {
  interface Tables {
    bot_storage: RowOf<typeof botStorage>;
  }
}
