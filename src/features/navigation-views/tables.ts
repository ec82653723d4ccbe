import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Views that people saved, and built-in views that they have pinned or unpinned. */
export const navigationView = table('navigation_view', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  fragment: col.text(),
  is_pinned: col.bool(),
  /** Null for built-in views. */
  view_name: col.textOrNull(),
});
export type NavigationViewRow = SelectOf<typeof navigationView>;

declare module '#kernel/store' {
  interface Tables {
    navigation_view: RowOf<typeof navigationView>;
  }
}
