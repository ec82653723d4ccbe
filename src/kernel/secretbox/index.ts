export { KEY_BYTES, type KeyPair, lockBox, makeKeyPair, sealBox, unlockBox, unsealBox } from './boxes.ts';
export { parseBase64, parsePushKey } from './push-key.ts';
