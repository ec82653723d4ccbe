export {
  KEY_BYTES,
  type KeyPair,
  keyPairFrom,
  lockBox,
  lockOwn,
  makeKeyPair,
  sealBox,
  unlockBox,
  unlockOwn,
  unsealBox,
} from './boxes.ts';
export { parseTokenKey, signToken, type TokenKey } from './jwt.ts';
export { parseBase64, parsePushKey, vapidHeader, type VapidKeys, vapidKeysOf } from './vapid.ts';
export { lockPush } from './lock-push.js';
export { lockPushes } from './locking-thread.ts';
export { sha256 } from './sha256.ts';
export { parsePushKeys, readPushKeys, type PushKeys } from './web-push.ts';
