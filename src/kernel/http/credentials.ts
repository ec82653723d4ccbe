import {
  type AuthSource,
  constantTimeEqual,
  csrfTokenFor,
  findSession,
  isStale,
  type Login,
  noteKeyUse,
  type RealmRef,
  type RealmRefReadTx,
  touchSession,
} from '#kernel/auth';
import { CsrfFailed, InsufficientPermission, RealmDeactivated, Unauthorized, UserDeactivated } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { type Cause, inRealm } from '#kernel/store';

/** The credentials in a request's headers, query and cookies. */
export interface Presented {
  readonly authorization: string | undefined;
  /** API key in the query, on routes that accept it there; a header takes precedence. */
  readonly apiKey?: string | undefined;
  readonly sessionToken: string | undefined;
}

/** Who the credentials belong to; whether they are accepted is checked later. */
export interface Identified {
  readonly login: Login | undefined;
  /** Set for a browser session, which needs a CSRF token for changes. */
  readonly sessionToken: string | undefined;
  readonly staleSession: number | undefined;
}

/** Conditions for accepting credentials. */
interface Terms {
  /** Whether the request changes nothing. */
  readonly isSafe: boolean;
  /** CSRF token in the header or form; needed only for sessions. */
  readonly csrfToken: string | undefined;
  /** The client's address. */
  readonly address: string;
}

/** Finds who the credentials belong to; throws if they are wrong. See protocol/authentication#credentials. */
export function identify(
  { store }: Pick<Context, 'store'>,
  source: AuthSource,
  realm: RealmRef,
  presented: Presented,
): Promise<Identified> {
  return store.in(realm).query((tx) => identifyIn(tx, source, presented));
}

async function identifyIn(
  tx: RealmRefReadTx,
  source: AuthSource,
  { authorization, apiKey, sessionToken }: Presented,
): Promise<Identified> {
  if (authorization !== undefined || apiKey !== undefined) {
    const login =
      authorization === undefined ? await source.byKey(tx, apiKey ?? '') : await source.byHeader(tx, authorization);
    return { login, sessionToken: undefined, staleSession: undefined };
  }
  const { login, staleSession } = await bySession(tx, source, sessionToken);
  return { login, sessionToken: login && sessionToken, staleSession };
}

/**
 * Returns what checks, in a write that has locked the log, that the caller may still make the request: their account,
 * key or session may have ended, or their role been lowered, since they were let in. Later writes of the same request are
 * not checked, because the first may itself have ended what the caller came with.
 */
export function rechecking(
  source: AuthSource,
  realm: RealmRef,
  presented: Presented,
  { role }: Pick<LetIn, 'role'>,
): NonNullable<Cause['recheck']> {
  let isRechecked = false;
  return async (tx) => {
    if (isRechecked) return;
    const { login } = await identifyIn(inRealm(tx, realm), source, presented);
    if (!login) throw Unauthorized();
    if (!login.isActive) throw UserDeactivated();
    // A higher number is a lower role.
    if (login.actor.role > role) throw InsufficientPermission();
    // If the commit fails, the write runs again, and others may have been committed before it.
    tx.afterCommit(() => (isRechecked = true));
  };
}

/** The caller, without the client's name. */
export type LetIn = Login['actor'];

/**
 * Returns the caller, or null without credentials; throws if the credentials are not accepted. See
 * protocol/authentication#credentials.
 */
export function letIn(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  realm: RealmRef,
  { login, sessionToken }: Identified,
  { isSafe, csrfToken, address }: Terms,
): LetIn | null {
  if (sessionToken !== undefined && !isSafe) assertCsrf(csrfToken, sessionToken, server.secret);
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!login) return null;
  if (!login.isActive) throw UserDeactivated();
  const { shownBy } = login.actor;
  if (shownBy?.kind === 'device key')
    noteKeyUse(server, { key_id: shownBy.id, realm_id: realm.id, last_used_at: clock.now(), address });
  return login.actor;
}

/** Records that the session was used, if the last record is old. */
export function noteUse(
  { store }: Pick<Context, 'store'>,
  realm: RealmRef,
  { login, staleSession }: Identified,
): Promise<void> | undefined {
  if (!login || staleSession === undefined) return undefined;
  return store.in(realm).write((tx) => touchSession(tx, staleSession));
}

async function bySession(
  tx: RealmRefReadTx,
  source: AuthSource,
  token: string | undefined,
): Promise<{ readonly login?: Login | undefined; readonly staleSession?: number | undefined }> {
  const session = token === undefined ? undefined : await findSession(tx, token);
  if (!session) return {};
  const login = await source.byId(tx, session.user_id);
  const shownBy = { kind: 'session', id: session.id, confirmedAt: session.confirmed_at } as const;
  return {
    login: login && { ...login, actor: { ...login.actor, shownBy } },
    staleSession: isStale(session, tx.now) ? session.id : undefined,
  };
}

function assertCsrf(csrfToken: string | undefined, sessionToken: string, secret: string): void {
  if (csrfToken === undefined) throw CsrfFailed({ reason: 'CSRF token missing.' });
  if (!constantTimeEqual(csrfToken, csrfTokenFor(secret, sessionToken)))
    throw CsrfFailed({ reason: 'CSRF token incorrect.' });
}
