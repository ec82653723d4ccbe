import type { RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Tokens by which directories manage an organization's accounts; only hashes of them. */
export const scimToken = table('scim_token', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  token_hash: col.text(),
  created_at: col.int(),
  /** To the hour's accuracy; null: never. */
  last_used_at: col.intOrNull(),
});
export type ScimTokenRow = SelectOf<typeof scimToken>;

/** What directories say of people and groups, and Roost has no word for. */
export const scimResource = table('scim_resource', {
  realm_id: col.ref<RealmId>(),
  kind: col.text<'user' | 'group'>(),
  resource_id: col.int(),
  /** The directory's own name for it. */
  external_id: col.textOrNull(),
  /** Whether the directory deleted it: to the directory it is gone for as long as it is deactivated. */
  is_deleted: col.bool(),
});
export type ScimResourceRow = SelectOf<typeof scimResource>;

declare module '#kernel/store' {
  interface Tables {
    scim_token: RowOf<typeof scimToken>;
    scim_resource: RowOf<typeof scimResource>;
  }
}
