import { slice } from '#kernel/slice';
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
});

export { applyProfileEvent } from './apply.ts';
export { EXTERNAL_ACCOUNTS } from './external-accounts.ts';
export { PROFILE_ERRORS } from './errors.ts';
export {
  clearProfile,
  emptyRemoves,
  prepareProfile,
  type ProfileItem,
  setProfile,
} from './profiles.ts';
export { profileItems } from './wire.ts';
