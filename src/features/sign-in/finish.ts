import type { ProviderSession } from '#kernel/auth';
import type { PageResponse, RealmRequest } from '#kernel/endpoint';
import { redirect } from '#features/pages';
import type { UserRow } from '#features/users';
import { beginSession } from './browser-session.ts';
import { credentialsOf, recordKeyGiven } from './sign-in.ts';

/**
 * Returns where to go after signing in: always a path of this server, whatever the link said. Security 22. Characters
 * that no header can hold are escaped as browsers do.
 */
export function safeNext(next: string | undefined): string {
  const isPath = next !== undefined && /^\/(?![/\\])[^\\\s\p{Cc}\p{Cs}]*$/u.test(next);
  return isPath ? next.replaceAll(/[^!-~]/gu, encodeURIComponent) : '/';
}

/** A one-time pad of a mobile client: 64 hex digits. See protocol/authentication#sign-in. */
export function oneTimePadOf(text: string | null | undefined): string | undefined {
  return text && /^[0-9a-fA-F]{64}$/.test(text) ? text : undefined;
}

/**
 * Content security policy of pages whose forms may lead to the app: browsers apply `form-action` to redirects of a
 * form's answer, too.
 */
export const APP_POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' zulip:";

/**
 * URL that gives the API key to the app that opened the browser, encrypted with its one-time pad. See
 * protocol/authentication#sign-in.
 */
function appUrl({ context, realm }: RealmRequest, user: UserRow, pad: string): string {
  const { api_key, email, user_id } = credentialsOf(context, user);
  const padBytes = Buffer.from(pad, 'hex');
  const hiddenKey = Buffer.from(api_key, 'ascii').map((byte, index) => byte ^ (padBytes[index] ?? 0));
  const query = new URLSearchParams({
    realm: realm.url,
    email,
    user_id: String(user_id),
    otp_encrypted_api_key: Buffer.from(hiddenKey).toString('hex'),
  });
  return `zulip://login?${query.toString()}`;
}

/** Redirects with the cookie of a new session, or to the log-in page if no session could begin. */
export function redirectIn(to: string, session: string | undefined): PageResponse {
  return session === undefined ? redirect('/login/') : redirect(to, [session]);
}

/** Where somebody wanted to go when they began to sign in. */
export interface Destination {
  readonly next: string | undefined;
  /** One-time pad of the app that opened the browser. */
  readonly pad: string | undefined;
  /** The session at the provider through which they signed in. */
  readonly provided?: ProviderSession | undefined;
}

/**
 * Signs somebody in who has shown all factors: in this browser, or in the app that opened it. In a deactivated
 * organization nobody gets in: a session or key from then would work once it is active again.
 */
export async function enter(
  request: RealmRequest,
  user: UserRow,
  { next, pad, provided }: Destination,
): Promise<PageResponse> {
  const { realm } = request;
  if (realm.isDeactivated) return redirect('/login/');
  if (pad !== undefined) {
    await request.context.store.in(realm).write(async (tx) => recordKeyGiven(tx, user));
    return redirect(appUrl(request, user, pad));
  }
  return redirectIn(safeNext(next), await beginSession(request, user, provided));
}
