import { dict, int, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listFields } from './queries.ts';
import { WIRE_TYPES } from './types.ts';
import { toWireField, wireField } from './wire.ts';

/** The organization's profile fields, and the available types. See protocol/profile-fields#field-object. */
export const profileFieldsState = registerState({
  fetchType: 'custom_profile_fields',
  sameFor: ({ tx }) => `${tx.actor !== null}`,
  source: 'protocol/profile-fields#field-object',
  fields: {
    custom_profile_fields: list(wireField),
    custom_profile_field_types: dict(object({ id: int(), name: str() })),
  },
  read: async ({ tx }) => ({
    custom_profile_fields: tx.actor ? (await listFields(tx)).map(toWireField) : [],
    custom_profile_field_types: WIRE_TYPES,
  }),
});
