import { slice } from '#kernel/slice';
import { REALM_GROUP_SETTINGS } from './group-settings.ts';
import { formerSubdomain, realm } from './tables.ts';

export const realms = slice({ name: 'realms', tables: [realm, formerSubdomain], settings: REALM_GROUP_SETTINGS });

export { REALM_GROUP_SETTINGS, realmGroupSetting, type RealmGroupSettingName } from './group-settings.ts';
export { assertListRoom, ListFull } from './list-room.ts';
export {
  deleteRealm,
  findMovedRealm,
  findRealmBySubdomain,
  insertRealm,
  listRealms,
  lockRealm,
  readRealm,
  setRealmDeactivated,
  setRealmGroups,
  setRealmName,
  setRealmSettings,
  setRealmSubdomain,
  upsertFormerSubdomain,
  setSystemGroups,
} from './queries.ts';
export { loadRealm, realmRefOf, withRealm } from './realm-ref.ts';
export { CHANGEABLE_SETTINGS, OWNERS_SETTINGS, REALM_SETTINGS, type RealmSettings, settingsOf } from './settings.ts';
export type { RealmIdentity, RealmRow } from './tables.ts';
