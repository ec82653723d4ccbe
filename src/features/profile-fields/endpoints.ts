import { administrators, endpoint, everyone, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { anything, bool, boundedDict, idOf, int, list, text } from '#kernel/schema';
import { addField, removeField, reorderFields, updateField } from './actions.ts';
import { DEFINITION_ERRORS, DefaultFieldFixed, FieldMissing, InvalidFieldOrder } from './errors.ts';
import { listFields } from './queries.ts';
import { MAX_HINT, MAX_LABEL } from './definition.ts';
import type { ProfileFieldId } from './tables.ts';
import { toWireField, wireField } from './wire.ts';

/** Most fields one order may name. */
const MAX_FIELDS = 10_000;

const SOURCE = 'protocol/profile-fields#definitions';

const field_id = path(idOf<ProfileFieldId>());
const name = raw(
  text({ line: true, trim: true, max: MAX_LABEL }),
  'Label; unique. Known external accounts bring their own.',
);
const hint = raw(text({ line: true, max: MAX_HINT }), 'Help for those who fill the field in.');
const field_data = json(
  boundedDict(anything({ max: 1000 }), { max: 1000, key: 1000 }),
  'Choices by key, or the kind of external account.',
);
const flag = json(bool());

const getProfileFields = endpoint({
  id: 'get-custom-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  source: SOURCE,
  doc: "The organization's profile fields in their order.",
  who: everyone,
  params: {},
  returns: { custom_fields: list(wireField) },
  async run({ realm, context }) {
    return {
      custom_fields: (await context.store.in(realm).query((tx) => listFields(tx))).map(toWireField),
    };
  },
});

const createProfileField = endpoint({
  id: 'create-custom-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  source: SOURCE,
  doc: 'Adds a profile field.',
  who: administrators,
  params: {
    name: withDefault(name, ''),
    hint: withDefault(hint, ''),
    field_type: json(int(), '1 to 8.'),
    field_data: withDefault(field_data, {}),
    display_in_profile_summary: withDefault(flag, false),
    required: withDefault(flag, false),
    editable_by_user: withDefault(flag, true),
    use_for_user_matching: withDefault(flag, false),
  },
  returns: { id: idOf<ProfileFieldId>() },
  fails: DEFINITION_ERRORS,
  async run({ realm, params, context }) {
    return { id: (await addField(context, realm, params)).id };
  },
});

const updateProfileField = endpoint({
  id: 'update-custom-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  source: SOURCE,
  doc: 'Changes a profile field; its type stays. Values that are no longer a choice are removed.',
  who: administrators,
  params: {
    field_id,
    name: optional(name),
    hint: optional(hint),
    field_data: optional(field_data),
    display_in_profile_summary: optional(flag),
    required: optional(flag),
    editable_by_user: optional(flag),
    use_for_user_matching: optional(flag),
  },
  returns: {},
  fails: [FieldMissing, DefaultFieldFixed, ...DEFINITION_ERRORS],
  async run({ realm, params: { field_id: id, ...change }, context }) {
    await updateField(context, realm, id, change);
    return {};
  },
});

const deleteProfileField = endpoint({
  id: 'delete-custom-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  source: SOURCE,
  doc: "Deletes a profile field and everybody's values of it.",
  who: administrators,
  params: { field_id },
  returns: {},
  fails: [FieldMissing],
  async run({ realm, params, context }) {
    await removeField(context, realm, params.field_id);
    return {};
  },
});

const reorderProfileFields = endpoint({
  id: 'reorder-custom-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  source: SOURCE,
  doc: 'Changes the order of the profile fields.',
  who: administrators,
  params: { order: json(list(idOf<ProfileFieldId>(), { max: MAX_FIELDS })) },
  returns: {},
  fails: [InvalidFieldOrder],
  async run({ realm, params, context }) {
    await reorderFields(context, realm, params.order);
    return {};
  },
});

export const profileFieldEndpoints = [
  getProfileFields,
  createProfileField,
  reorderProfileFields,
  updateProfileField,
  deleteProfileField,
];
