export {
  type AccountRef,
  type Actor,
  type AuthSource,
  deviceKeyOf,
  type Login,
  type RealmRef,
  type ShownBy,
} from './actor.ts';
export { apiKeyFor, deriveKey, isApiKeyShape } from './api-keys.ts';
export { parseBasic } from './basic.ts';
export { realmHostOf, realmUrlOf, type ServerAddress } from './host.ts';
export { constantTimeEqual, loadSecret } from './secret.ts';
export {
  deleteDeviceKey,
  deleteDeviceKeysOf,
  type DeviceKeyRow,
  findDeviceKey,
  hashOfKey,
  insertDeviceKey,
  isOver,
  isWithKey,
  KEY_KINDS,
  KEY_SCOPES,
  type KeyKind,
  keyOfAppPassword,
  type KeyScope,
  listDeviceKeys,
  MAX_DEVICE_KEYS,
  newAppPassword,
} from './device-keys.ts';
export { noteKeyUse, notedKeyUse, takeKeyUses, writeKeyUses } from './key-uses.ts';
export {
  type ActorReadTx,
  type ActorWriteTx,
  type CallerReadTx,
  hasActor,
  type RealmRefReadTx,
  type RealmRefWriteTx,
} from './transactions.ts';
export {
  CONFIRMED_SECONDS,
  confirmSession,
  csrfTokenFor,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsIn,
  deleteSessionsOf,
  deleteSessionsOfProvider,
  findSession,
  insertSession,
  isStale,
  listSessions,
  type ProviderSession,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  type SessionRow,
  touchSession,
} from './sessions.ts';
