import type { ProviderSession } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import { firstFault, idOf, int, maybe, nullable, object, type SchemaOf, str } from '#kernel/schema';
import { noOrganization, redirect } from '#features/pages';
import { findUser, type UserRow } from '#features/users';
import type { Destination } from '../finish.ts';
import { seal, sealedCookie, sealedCookieName, unseal } from '../sealed.ts';
import { hasSecondFactor } from '../factors/index.ts';

/** Paths of the pages that ask for the second factor, set up codes, and list passkeys. */
export const ASK_PATH = '/accounts/second-factor/';
export const SETUP_PATH = '/accounts/second-factor/setup/';
export const PASSKEYS_PATH = '/accounts/passkeys/';

const COOKIE = 'first-factor';
/** Seconds within which somebody must show the second factor. */
const PENDING_SECONDS = 600;

const shape = object({
  realm_id: idOf<RealmId>(),
  user_id: idOf<UserId>(),
  /** Changes with the password, so that older cookies become worthless. */
  key_version: int(),
  next: maybe(str()),
  pad: maybe(str()),
  /** The session at the provider, without its token: a cookie has no room for that. */
  provided: maybe(
    object({ provider_id: nullable(str()), provider_subject: nullable(str()), provider_session: nullable(str()) }),
  ),
  ends_at: int(),
});
export type Pending = SchemaOf<typeof shape>;

/** The cookie of a browser in which somebody has shown the first factor; it opens only the page for the second one. */
export async function pendingCookie(
  { context, realm }: RealmRequest,
  user: UserRow,
  { next, pad, provided: whole }: Destination,
): Promise<string> {
  const ends_at = context.clock.now() + PENDING_SECONDS;
  const key_version = user.api_key_version;
  const provided = whole && withoutToken(whole);
  const pending: Pending = { realm_id: realm.id, user_id: user.id, key_version, next, pad, provided, ends_at };
  return sealedCookie(context, COOKIE, await seal(context, COOKIE, pending), PENDING_SECONDS);
}

function withoutToken({ provider_token: _token, signed_in_at: _then, ...provided }: ProviderSession) {
  return provided;
}

/** Where somebody who has shown the first factor wanted to go, and the provider session they came with. */
export function destinationOf({ next, pad, provided }: Pending): Destination {
  return { next, pad, provided: provided && { ...provided, provider_token: null } };
}

/** The cookies after signing in, with the cookie for the first factor deleted. */
export function cookiesAfter({ context }: PageRequest, entered: PageResponse): readonly string[] {
  const set = entered.headers?.['set-cookie'] ?? [];
  return [...(typeof set === 'string' ? [set] : set), sealedCookie(context, COOKIE, '', 0)];
}

/** Finds who has shown the first factor in this browser, as long as that is valid. */
export async function whoIsAsked({
  context,
  realm,
  cookies,
}: PageRequest): Promise<{ readonly user: UserRow; readonly pending: Pending } | undefined> {
  const sent = cookies[sealedCookieName(context, COOKIE)];
  const read = firstFault(shape, 'pending', await unseal(context, COOKIE, sent));
  if ('fault' in read || !realm) return undefined;
  const pending = read.value;
  if (pending.realm_id !== realm.id || pending.ends_at <= context.clock.now()) return undefined;
  const user = await context.store.in(realm).query((tx) => findUser(tx, pending.user_id));
  if (!user?.is_active || realm.isDeactivated || user.api_key_version !== pending.key_version) return undefined;
  return { user, pending };
}

/** Somebody who may change the ways into their account. */
export interface Person {
  readonly user: UserRow;
  /**
   * Where to go on afterwards, for somebody who has shown the first factor and gets no session without a second;
   * undefined with a session.
   */
  readonly destination: Destination | undefined;
}

/**
 * Finds the person by this browser's session, or by having shown the first factor while the account has no second. An
 * API key opens no page that changes the ways into its account.
 */
export async function findPerson(request: RealmRequest): Promise<Person | undefined> {
  const { actor, sessionToken, headers, context, realm } = request;
  if (headers.authorization !== undefined) return undefined;
  const isBySession = actor !== null && sessionToken !== undefined;
  const user = isBySession ? await context.store.in(realm).query((tx) => findUser(tx, actor.userId)) : undefined;
  if (user && !user.is_bot) return { user, destination: undefined };
  const asked = await whoIsAsked(request);
  if (!asked || (await context.store.in(realm).query((tx) => hasSecondFactor(tx, asked.user.id)))) return undefined;
  return { user: asked.user, destination: destinationOf(asked.pending) };
}

/** Runs a page for such a person; sends everybody else to log in. */
export async function withPerson(
  request: PageRequest,
  path: string,
  run: (request: RealmRequest, person: Person) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const person = await findPerson(request);
  if (person) return run(request, person);
  const isAsked = request.headers.authorization === undefined && (await whoIsAsked(request)) !== undefined;
  return redirect(isAsked ? '/login/' : `/login/?next=${encodeURIComponent(path)}`);
}
