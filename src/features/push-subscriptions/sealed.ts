import { deriveKey } from '#kernel/auth';
import { lockOwn, type PushKeys, readPushKeys, sha256, unlockBox, unlockOwn } from '#kernel/secretbox';
import type { SubscriptionRow } from './tables.ts';

/** Prefix of texts that `lockOwn` encrypted. */
const OWN = 'own.';

/** Address and keys of a subscription. */
export interface Target {
  readonly endpoint: string;
  readonly keys: PushKeys;
}

/** The validated data of a browser's or app's subscription. */
export interface Given {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Encrypts address and keys for the table. */
export function sealTarget(secret: string, { endpoint, p256dh, auth }: Given): string {
  const plain = Buffer.from(JSON.stringify([endpoint, p256dh, auth]));
  return OWN + Buffer.from(lockOwn(keyOf(secret), plain)).toString('base64');
}

/** Decrypts address and keys of a row; undefined if the server has another secret now. */
export async function openTarget(
  secret: string,
  { sealed }: Pick<SubscriptionRow, 'sealed'>,
): Promise<Target | undefined> {
  const plain = await unlock(keyOf(secret), sealed);
  if (!plain) return undefined;
  const value: unknown = JSON.parse(Buffer.from(plain).toString());
  const [endpoint = '', p256dh = '', auth = ''] = Array.isArray(value) ? value.map(String) : [];
  const keys = readPushKeys(p256dh, auth);
  return keys && { endpoint, keys };
}

/** Older rows use another cipher. */
async function unlock(key: Uint8Array, sealed: string): Promise<Uint8Array | undefined> {
  if (sealed.startsWith(OWN)) return unlockOwn(key, Buffer.from(sealed.slice(OWN.length), 'base64'));
  return unlockBox(key, Buffer.from(sealed, 'base64'));
}

/** Hash by which a known address is found. */
export function endpointHash(endpoint: string): string {
  return sha256(endpoint, 'base64');
}

function keyOf(secret: string): Uint8Array {
  return Buffer.from(deriveKey(secret, 'push subscriptions'));
}
