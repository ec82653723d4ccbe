import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Alert words of users; one can consist of several words. */
export const alertWord = table('alert_word', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  word: col.text(),
  word_key: col.text(),
});

declare module '#kernel/store' {
  interface Tables {
    alert_word: RowOf<typeof alertWord>;
  }
}
