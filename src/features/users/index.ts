import { applier, slice } from '#kernel/slice';
import { applyUserEvent } from './apply.ts';
import { userEndpoints } from './endpoints.ts';
import { userEvents } from './events.ts';
import { usersState } from './state.ts';
import { user } from './tables.ts';

/** State fields about other people and about the viewer. */
const USER_FIELDS = [
  'realm_users',
  'realm_non_active_users',
  'email',
  'delivery_email',
  'full_name',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'is_admin',
  'is_owner',
  'is_moderator',
  'is_guest',
];

export const users = slice({
  name: 'users',
  tables: [user],
  reads: ['direct_participant', 'profile_value', 'subscription'],
  endpoints: userEndpoints,
  events: userEvents,
  state: [usersState],
  applies: [applier(['realm_user'], USER_FIELDS, applyUserEvent)],
});

export { actorOf, findActor, authSource, isFullMember, viewerSource } from './auth-source.ts';
export { announceAccount, announceAvatar } from './announce.ts';
export { avatarUrl, gravatarUrl } from './avatars.ts';
export { NameFault, NoSuchUser } from './errors.ts';
export { hiddenFrom, madeUpEmail, UNKNOWN_AVATAR, UNKNOWN_NAME } from './hidden.ts';
export {
  accessAccount,
  accessUser,
  findByVisibleEmail,
  findByVisibleEmails,
  SystemBot,
  type SystemBotName,
} from './find.ts';
export { endEveryKey, endKey, keyEnded } from './keys.ts';
export { nameFault, nameRefusal, uniquenessFault } from './names.ts';
export { realmUserUpdated } from './events.ts';
export {
  insertUser,
  lockUser,
  lockUsers,
  type NewUser,
  setSettingsOfUsers,
  setUser,
  setUserSettings,
} from './changes/queries.ts';
export {
  listActivityAfter,
  listBotIdsOf,
  listBotsOf,
  listGuestIds,
  listProfiles,
  listUsers,
  listUsersAfter,
  listUsersWithSettings,
} from './lists/queries.ts';
export { assertRoom, type PersonalTexts, TooManyTexts } from './personal-texts.ts';
export {
  findAnyMember,
  findPersonCalled,
  findSystemBot,
  findUser,
  findUserByEmail,
  findUsers,
  findUsersByEmail,
} from './queries.ts';
export type { UserRow } from './tables.ts';
export { announceVisibility, guestsAmong, knows, readVisibility, type Visibility } from './visibility.ts';
export { apiEmail, toWireDate, toWireUser } from './to-wire.ts';
export { profileData } from './wire.ts';
