import { lockBox, unlockBox } from '#kernel/secretbox';

/** Values that only the holder of the key can read, as text for an address. */
export async function sealToken(key: Uint8Array, values: readonly unknown[]): Promise<string> {
  return Buffer.from(await lockBox(key, Buffer.from(JSON.stringify(values)))).toString('base64url');
}

/** What was sealed; undefined when it was not, or by another key. */
export async function openToken(key: Uint8Array, token: string): Promise<readonly unknown[] | undefined> {
  const plain = await unlockBox(key, Buffer.from(token, 'base64url'));
  const value: unknown = plain && JSON.parse(Buffer.from(plain).toString());
  return Array.isArray(value) ? value : undefined;
}
