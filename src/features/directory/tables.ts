import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** What an organization's directory did to accounts. */
export const directoryPerson = table('directory_person', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  /** SHA-256 of the picture that the account got from the directory last; null: none yet. */
  picture_hash: col.textOrNull(),
  /** When the account ended because the directory had nobody for it; null: it did not. */
  ended_at: col.intOrNull(),
});
export type DirectoryPersonRow = SelectOf<typeof directoryPerson>;

declare module '#kernel/store' {
  interface Tables {
    directory_person: RowOf<typeof directoryPerson>;
  }
}
