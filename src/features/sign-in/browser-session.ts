import { lockUser, type UserRow } from '#features/users';
import {
  deleteSession,
  findSession,
  insertSession,
  listSessions,
  type ProviderSession,
  SESSION_SECONDS,
} from '#kernel/auth';
import type { PageRequest, RealmRequest } from '#kernel/endpoint';
import { deleteQueuesOf } from '#kernel/events';
import { sessionCookie } from '#kernel/http';
import type { UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';

/**
 * Browsers by their names in User-Agent headers. Many headers contain names of other browsers too, so the first match
 * counts.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names a browser and its system for the account's owner, as in "Firefox on Linux"; never repeats the User-Agent header
 * itself.
 */
export function browserName(userAgent: string | undefined): string {
  const nameIn = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return `${browser ?? 'Unknown browser'}${system === undefined ? '' : ` on ${system}`}`;
}

/** Somebody signed in with a browser or app in which they were not signed in already. See protocol/mail#mail. */
export const signedInAnew = signal<{
  readonly userId: UserId;
  /** The browser or app, as its owner knows it. */
  readonly client: string;
  readonly address: string;
}>('signed-in-anew');

/** Characters of a session's token. */
const TOKEN_LENGTH = 43;

/**
 * Begins a session for this browser and ends its earlier one: a token from before signing in is worthless afterwards
 * (security#asvs, 7.2.4). Returns the cookie to set, or undefined if the account has changed since `user` was read:
 * verifying a password takes a while, and a password that was changed meanwhile must let nobody in (7.4.3).
 */
export async function beginSession(
  request: RealmRequest,
  user: Pick<UserRow, 'id' | 'api_key_version'>,
  provided?: ProviderSession,
): Promise<string | undefined> {
  const { context, realm, address } = request;
  const token = context.clock.token(TOKEN_LENGTH);
  const hasBegun = await context.store.in(realm).write(async (tx) => {
    // Everything that ends all sessions changes this row first.
    const { is_active, api_key_version } = await lockUser(tx, user.id);
    if (!is_active || api_key_version !== user.api_key_version) return false;
    const client = browserName(request.headers['user-agent']);
    const isKnown = (await listSessions(tx, user.id)).some((session) => session.client === client);
    await endOwnSession(request, tx);
    await insertSession(tx, user.id, { token, client, provided });
    if (!isKnown) await signedInAnew.send(tx, { userId: user.id, client, address }, context);
    return true;
  });
  return hasBegun ? sessionCookie(context.server.externalUrl, token, SESSION_SECONDS) : undefined;
}

/** Ends this browser's session, and with it the user's event queues. Returns the cookie to set. Security 2, 7.4.1. */
export async function endSession(request: RealmRequest): Promise<string> {
  const { context, realm } = request;
  await context.store.in(realm).write((tx) => endOwnSession(request, tx));
  return sessionCookie(context.server.externalUrl, '', 0);
}

async function endOwnSession({ sessionToken }: PageRequest, tx: RealmWriteTx): Promise<void> {
  const session = sessionToken === undefined ? undefined : await findSession(tx, sessionToken);
  if (!session) return;
  await deleteSession(tx, session.user_id, session.id);
  await deleteQueuesOf(tx, [session.user_id]);
}
