import { deriveKey } from '#kernel/auth';
import type { PageRequest } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { firstFault, idOf, int, maybe, object, str } from '#kernel/schema';
import { lockBox, unlockBox } from '#kernel/secretbox';
import type { SchemaOf } from '#kernel/schema';

/** Seconds that somebody has to sign in at a provider. */
export const ATTEMPT_SECONDS = 600;

const shape = object({
  realm_id: idOf<RealmId>(),
  provider: str(),
  state: str(),
  nonce: str(),
  verifier: str(),
  next: maybe(str()),
  pad: maybe(str()),
  /** Account that is to be connected. */
  connect: maybe(idOf<UserId>()),
  ends_at: int(),
});
/** A sign-in at a provider that was begun by this browser. */
export type Attempt = SchemaOf<typeof shape>;

type NewAttempt = Pick<Attempt, 'realm_id' | 'provider' | 'next' | 'pad' | 'connect'>;

/** Begins an attempt with secrets of its own. */
export function newAttempt({ clock }: Pick<Context, 'clock'>, attempt: NewAttempt): Attempt {
  const [state, nonce, verifier] = [clock.token(43), clock.token(43), clock.token(64)];
  return { ...attempt, state, nonce, verifier, ends_at: clock.now() + ATTEMPT_SECONDS };
}

/**
 * A cookie that only this server can read. It comes back from the provider's site by a link, so it is `Lax`; nothing of an
 * attempt that is never finished is stored.
 */
export async function attemptCookie(context: Context, attempt: Attempt): Promise<string> {
  const box = await lockBox(keyOf(context), Buffer.from(JSON.stringify(attempt)));
  return cookie(context, Buffer.from(box).toString('base64url'), ATTEMPT_SECONDS);
}

/** Ends this browser's attempt. */
export function noAttempt(context: Context): string {
  return cookie(context, '', 0);
}

/** The attempt that this browser began, while it is good; undefined for anything else. */
export async function attemptOf({ context, cookies, realm }: PageRequest): Promise<Attempt | undefined> {
  const text = cookies[nameOf(context)];
  if (text === undefined || text.length > 8000) return undefined;
  const plain = await unlockBox(keyOf(context), Buffer.from(text, 'base64url'));
  if (!plain) return undefined;
  const read = firstFault(shape, 'attempt', JSON.parse(Buffer.from(plain).toString()));
  if ('fault' in read || read.value.ends_at <= context.clock.now() || read.value.realm_id !== realm?.id)
    return undefined;
  return read.value;
}

function keyOf({ server }: Pick<Context, 'server'>): Uint8Array {
  return Buffer.from(deriveKey(server.secret, 'sign-in-attempt'));
}

function cookie(context: Context, value: string, seconds: number): string {
  const secure = context.server.externalUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(context)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function nameOf({ server }: Pick<Context, 'server'>): string {
  return server.externalUrl.startsWith('https:') ? '__Host-roost-attempt' : 'roost-attempt';
}
