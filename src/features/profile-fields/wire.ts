import {
  anyOf,
  bool,
  idOf,
  int,
  lenientObject,
  list,
  literal,
  maybe,
  nullable,
  object,
  type SchemaOf,
  str,
  text,
  anything,
} from '#kernel/schema';
import type { ProfileFieldId, ProfileFieldRow } from './tables.ts';

/** A custom profile field as clients see it. See protocol/profile-fields#field-object. */
export const wireField = object({
  id: idOf<ProfileFieldId>(),
  type: int(),
  name: str(),
  hint: str(),
  /** JSON text; empty for types without data. */
  field_data: str(),
  order: int(),
  required: bool(),
  editable_by_user: bool(),
  display_in_profile_summary: maybe(literal(true)),
  use_for_user_matching: maybe(literal(true)),
}).meta({ id: 'ProfileField' });
export type WireField = SchemaOf<typeof wireField>;

export function toWireField(row: ProfileFieldRow): WireField {
  return {
    id: row.id,
    type: row.field_type,
    name: row.name,
    hint: row.hint,
    field_data: row.field_data === null ? '' : JSON.stringify(row.field_data),
    order: row.position,
    required: row.required,
    editable_by_user: row.editable_by_user,
    ...(row.display_in_profile_summary && { display_in_profile_summary: true as const }),
    ...(row.use_for_user_matching && { use_for_user_matching: true as const }),
  };
}

/** Most fields of one change of a profile, and most users of one value. */
const MAX_ITEMS = 1000;
const MAX_USERS = 10_000;

/**
 * Changes of a profile as clients send them; the type of a field decides which values are valid. See
 * protocol/profile-fields#values.
 */
export const profileItems = list(
  lenientObject({
    id: idOf<ProfileFieldId>(),
    value: nullable(anyOf(text(), list(anything({ max: 100 }), { max: MAX_USERS }))),
  }),
  { max: MAX_ITEMS },
);
/** Fields whose values to remove. See protocol/profile-fields#field-object. */
export const profileFieldIds = list(idOf<ProfileFieldId>(), { max: MAX_ITEMS });
