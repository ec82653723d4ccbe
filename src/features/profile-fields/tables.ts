import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type ProfileFieldId = Id<'ProfileField'>;

/** The choices of a field, or how to link to its accounts. */
export type FieldData = Readonly<Record<string, unknown>>;

/** Fields of profiles that the organization defines. */
export const profileField = table('profile_field', {
  id: col.id<ProfileFieldId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  hint: col.text(),
  /** One of `FieldType`. */
  field_type: col.int(),
  /** Null for types without choices or accounts. */
  field_data: col.jsonOrNull<FieldData>(),
  position: col.int(),
  required: col.bool(),
  editable_by_user: col.bool(),
  display_in_profile_summary: col.bool(),
  use_for_user_matching: col.bool(),
});
export type ProfileFieldRow = SelectOf<typeof profileField>;

/** People's values of profile fields. */
export const profileValue = table('profile_value', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  field_id: col.ref<ProfileFieldId>(),
  /** The value as it travels: a text, the key of a choice, or JSON of user IDs. */
  field_value: col.text(),
  /** HTML; null if the type is not Markdown. */
  rendered_value: col.textOrNull(),
});
export type ProfileValueRow = SelectOf<typeof profileValue>;

declare module '#kernel/store' {
  interface Tables {
    profile_field: RowOf<typeof profileField>;
    profile_value: RowOf<typeof profileValue>;
  }
}
