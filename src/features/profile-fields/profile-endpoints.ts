import { endpoint, humans, json } from '#kernel/endpoint';
import { FieldLocked, FieldMissing, PROFILE_ERRORS } from './errors.ts';
import { updateOwnProfile } from './profiles.ts';
import { profileFieldIds, profileItems } from './wire.ts';

const updateProfileData = endpoint({
  id: 'update-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  source: 'protocol/profile-fields#values',
  doc: "Sets values in the caller's profile; null removes one.",
  who: humans,
  params: { data: json(profileItems, 'IDs of fields with their values.') },
  returns: {},
  fails: PROFILE_ERRORS,
  async run({ actor, params, context }) {
    await updateOwnProfile(context, actor, params.data);
    return {};
  },
});

const removeProfileData = endpoint({
  id: 'remove-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  source: 'protocol/profile-fields#values',
  doc: "Removes values from the caller's profile.",
  who: humans,
  params: { data: json(profileFieldIds, 'IDs of fields.') },
  returns: {},
  fails: [FieldMissing, FieldLocked],
  async run({ actor, params, context }) {
    const items = params.data.map((id) => ({ id, value: null }));
    await updateOwnProfile(context, actor, items);
    return {};
  },
});

export const profileEndpoints = [updateProfileData, removeProfileData];
