import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Kinds of things that are noted when they come. */
export type ItemKind = 'person' | 'channel' | 'message';

/** What of another product's archive has come into an organization, so that it comes once only. */
export const importItem = table('import_item', {
  realm_id: col.ref<RealmId>(),
  item_kind: col.text<ItemKind>(),
  /** A digest of the product and of what it calls the thing. */
  source_key: col.text(),
  local_id: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    import_item: RowOf<typeof importItem>;
  }
}
