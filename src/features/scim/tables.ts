import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Tokens with which directories manage an organization's accounts; only hashes are stored. */
export const scimToken = table('scim_token', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  token_hash: col.text(),
  /** The owner who made it, and as long as whose role lasts it works; null: the operator. */
  owner_id: col.refOrNull<UserId>(),
  created_at: col.int(),
  /** Accurate to the hour; null: never. */
  last_used_at: col.intOrNull(),
});
export type ScimTokenRow = SelectOf<typeof scimToken>;

/** Facts of directories about people and groups for which Roost has no other place. */
export const scimResource = table('scim_resource', {
  realm_id: col.ref<RealmId>(),
  kind: col.text<'user' | 'group'>(),
  resource_id: col.int(),
  /** The directory's external ID of it. */
  external_id: col.textOrNull(),
  /** Whether the directory deleted it; it stays deleted for the directory as long as it is deactivated. */
  is_deleted: col.bool(),
});
export type ScimResourceRow = SelectOf<typeof scimResource>;

declare module '#kernel/store' {
  interface Tables {
    scim_token: RowOf<typeof scimToken>;
    scim_resource: RowOf<typeof scimResource>;
  }
}
