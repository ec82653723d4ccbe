import { lockBox, unlockBox } from '#kernel/secretbox';

/** Seals values into a text for an address, which only the holder of the key can read. */
export async function sealToken(key: Uint8Array, values: readonly unknown[]): Promise<string> {
  return Buffer.from(await lockBox(key, Buffer.from(JSON.stringify(values)))).toString('base64url');
}

/** Opens sealed values; undefined if the text is not valid, or was sealed with another key. */
export async function openToken(key: Uint8Array, token: string): Promise<readonly unknown[] | undefined> {
  const plain = await unlockBox(key, Buffer.from(token, 'base64url'));
  const value: unknown = plain && JSON.parse(Buffer.from(plain).toString());
  return Array.isArray(value) ? value : undefined;
}
