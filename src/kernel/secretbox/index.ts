export { KEY_BYTES, type KeyPair, lockBox, makeKeyPair, sealBox, unlockBox, unsealBox } from './boxes.ts';
export { parseBase64, parsePushKey } from './push-key.ts';
export { vapidHeader, type VapidKeys, vapidKeysOf } from './vapid.ts';
export { lockPush, parsePushKeys, type PushKeys } from './web-push.ts';
