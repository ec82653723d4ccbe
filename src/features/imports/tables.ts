import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Kinds of things that are noted when they come. */
export type ItemKind = 'person' | 'channel' | 'message';

/** The items of another product's archive that an organization has imported, so that each is imported only once. */
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
