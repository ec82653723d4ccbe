import type { Id, RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type LinkifierId = Id<'Linkifier'>;

/** Patterns that messages turn into links. */
export const realmLinkifier = table('realm_linkifier', {
  id: col.id<LinkifierId>(),
  realm_id: col.ref<RealmId>(),
  pattern: col.text(),
  url_template: col.text(),
  example_input: col.textOrNull(),
  reverse_template: col.textOrNull(),
  alternative_url_templates: col.json<readonly string[]>(),
  /** Position among the organization's linkifiers: they are applied in ascending order. */
  position: col.int(),
});
export type LinkifierRow = SelectOf<typeof realmLinkifier>;

declare module '#kernel/store' {
  interface Tables {
    realm_linkifier: RowOf<typeof realmLinkifier>;
  }
}
