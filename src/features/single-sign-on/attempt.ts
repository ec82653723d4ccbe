import type { PageRequest } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { firstFault, idOf, int, maybe, object, str } from '#kernel/schema';
import type { SchemaOf } from '#kernel/schema';
import { seal, sealedCookie, sealedCookieName, unseal } from '#features/sign-in';

/** Seconds within which somebody must sign in at a provider. */
export const ATTEMPT_SECONDS = 600;

const shape = object({
  realm_id: idOf<RealmId>(),
  provider: str(),
  state: str(),
  nonce: str(),
  verifier: str(),
  next: maybe(str()),
  pad: maybe(str()),
  /** Account to connect. */
  connect: maybe(idOf<UserId>()),
  /** Account whose owner, already signed in, confirms who they are. */
  confirm: maybe(idOf<UserId>()),
  ends_at: int(),
});
/** A sign-in at a provider that was begun by this browser. */
export type Attempt = SchemaOf<typeof shape>;

type NewAttempt = Pick<Attempt, 'realm_id' | 'provider' | 'next' | 'pad' | 'connect' | 'confirm'>;

/** Begins an attempt with fresh secrets. */
export function newAttempt({ clock }: Pick<Context, 'clock'>, attempt: NewAttempt): Attempt {
  const [state, nonce, verifier] = [clock.token(43), clock.token(43), clock.token(64)];
  return { ...attempt, state, nonce, verifier, ends_at: clock.now() + ATTEMPT_SECONDS };
}

const COOKIE = 'attempt';

/** The cookie of an attempt; nothing is stored on the server until the attempt is finished. */
export async function attemptCookie(context: Context, attempt: Attempt): Promise<string> {
  return sealedCookie(context, COOKIE, await seal(context, COOKIE, attempt), ATTEMPT_SECONDS);
}

/** Ends this browser's attempt. */
export function noAttempt(context: Context): string {
  return sealedCookie(context, COOKIE, '', 0);
}

/** Returns the attempt that this browser began; undefined if there is none, or it has expired. */
export async function attemptOf({ context, cookies, realm }: PageRequest): Promise<Attempt | undefined> {
  const sent = cookies[sealedCookieName(context, COOKIE)];
  const read = firstFault(shape, 'attempt', await unseal(context, COOKIE, sent));
  if ('fault' in read || read.value.ends_at <= context.clock.now() || read.value.realm_id !== realm?.id)
    return undefined;
  return read.value;
}
