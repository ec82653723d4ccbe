import { createHash } from 'node:crypto';
import { deriveKey } from '#kernel/auth';
import { lockOwn, type PushKeys, readPushKeys, unlockBox, unlockOwn } from '#kernel/secretbox';
import type { SubscriptionRow } from './tables.ts';

/** Begins what `lockOwn` made. */
const OWN = 'own.';

/** Where a subscription is written to, and with what. */
export interface Target {
  readonly endpoint: string;
  readonly keys: PushKeys;
}

/** What a browser or app gives of its subscription, checked. */
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

/** Address and keys of a row; undefined when the server has another secret by now. */
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

/** Rows of before have another cipher. */
async function unlock(key: Uint8Array, sealed: string): Promise<Uint8Array | undefined> {
  if (sealed.startsWith(OWN)) return unlockOwn(key, Buffer.from(sealed.slice(OWN.length), 'base64'));
  return unlockBox(key, Buffer.from(sealed, 'base64'));
}

/** Under what the same address is found again. */
export function endpointHash(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64');
}

function keyOf(secret: string): Uint8Array {
  return Buffer.from(deriveKey(secret, 'push subscriptions'));
}
