import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Words, or several words in a row, that readers watch for. */
export const alertWord = table('alert_word', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  word: col.text(),
  word_key: col.text(),
});
export type AlertWordRow = SelectOf<typeof alertWord>;

declare module '#kernel/store' {
  interface Tables {
    alert_word: RowOf<typeof alertWord>;
  }
}
