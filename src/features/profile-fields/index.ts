import { applier, slice } from '#kernel/slice';
import { applyProfileEvent } from './apply.ts';
import { profileFieldEndpoints } from './endpoints.ts';
import { profileEndpoints } from './profile-endpoints.ts';
import { profileFieldsChanged } from './events.ts';
import { profileFieldsState } from './state.ts';
import { profileField, profileValue } from './tables.ts';

export const profileFields = slice({
  name: 'profile-fields',
  tables: [profileField, profileValue],
  endpoints: [...profileFieldEndpoints, ...profileEndpoints],
  events: [profileFieldsChanged],
  state: [profileFieldsState],
  applies: [applier(['custom_profile_fields', 'realm_user'], ['custom_profile_fields'], applyProfileEvent)],
});

export { EXTERNAL_ACCOUNTS, FieldType } from './types.ts';
export { PROFILE_ERRORS } from './errors.ts';
export {
  clearProfile,
  emptyRemoves,
  prepareProfile,
  type ProfileItem,
  setProfile,
} from './profiles.ts';
export { renderProfiles } from './render-all.ts';
export { profileItems } from './wire.ts';
