import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type SnippetId = Id<'SavedSnippet'>;

/** Texts that people saved for reuse. */
export const savedSnippet = table('saved_snippet', {
  id: col.id<SnippetId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  title: col.text(),
  content: col.text(),
  date_created: col.int(),
});
export type SnippetRow = SelectOf<typeof savedSnippet>;

declare module '#kernel/store' {
  interface Tables {
    saved_snippet: RowOf<typeof savedSnippet>;
  }
}
