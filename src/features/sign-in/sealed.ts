import { deriveKey } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockBox, unlockBox } from '#kernel/secretbox';

type Server = Pick<Context, 'server'>;

/** Longest sealed text that is read, in characters. */
const MAX_LENGTH = 8000;

/** Seals a value, so that only this server can read it, and only for the same purpose. */
export async function seal({ server }: Server, purpose: string, value: unknown): Promise<string> {
  const box = await lockBox(keyOf(server.secret, purpose), Buffer.from(JSON.stringify(value)));
  return Buffer.from(box).toString('base64url');
}

/** Opens a sealed value; undefined if the text is not valid. */
export async function unseal({ server }: Server, purpose: string, text: string | undefined): Promise<unknown> {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  const plain = await unlockBox(keyOf(server.secret, purpose), Buffer.from(text, 'base64url'));
  return plain && JSON.parse(Buffer.from(plain).toString());
}

/**
 * Names of cookies with sealed values. Browsers bind a name with the `__Host-` prefix to the host and to encrypted
 * connections.
 */
export function sealedCookieName({ server }: Server, name: string): string {
  return server.externalUrl.startsWith('https:') ? `__Host-roost-${name}` : `roost-${name}`;
}

/** A cookie with a sealed value. It is also sent when a link on another site, such as a provider's, leads here. */
export function sealedCookie(context: Server, name: string, value: string, seconds: number): string {
  const secure = context.server.externalUrl.startsWith('https:') ? '; Secure' : '';
  return `${sealedCookieName(context, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function keyOf(secret: string, purpose: string): Uint8Array {
  return Buffer.from(deriveKey(secret, `sealed:${purpose}`));
}
