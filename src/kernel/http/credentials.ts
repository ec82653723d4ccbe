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
import { CsrfFailed, RealmDeactivated, UserDeactivated } from '#kernel/errors';
import type { Context } from '#kernel/context';

/** What the head of a request brings to show who sent it. */
export interface Presented {
  readonly authorization: string | undefined;
  /** API key of the query, where a route takes it there; a header goes before it. */
  readonly apiKey?: string | undefined;
  readonly sessionToken: string | undefined;
}

/** Whose credentials were presented; whether they count now is another question. */
export interface Identified {
  readonly login: Login | undefined;
  /** Set for a browser session, which must show its CSRF token to change something. */
  readonly sessionToken: string | undefined;
  readonly staleSession: number | undefined;
}

/** What is asked of credentials beside being right. */
interface Terms {
  /** Whether nothing is changed. */
  readonly isSafe: boolean;
  /** CSRF token of the header or form; looked at for sessions only. */
  readonly csrfToken: string | undefined;
  /** Where the request came from. */
  readonly address: string;
}

/**
 * Whose the credentials are. Those that are wrong are an error, never "nothing".
 * See protocol/authentication#credentials.
 */
export function identify(
  { store }: Pick<Context, 'store'>,
  source: AuthSource,
  realm: RealmRef,
  { authorization, apiKey, sessionToken }: Presented,
): Promise<Identified> {
  return store.in(realm).query(async (tx) => {
    if (authorization !== undefined || apiKey !== undefined) {
      const login =
        authorization === undefined ? await source.byKey(tx, apiKey ?? '') : await source.byHeader(tx, authorization);
      return { login, sessionToken: undefined, staleSession: undefined };
    }
    const { login, staleSession } = await bySession(tx, source, sessionToken);
    return { login, sessionToken: login && sessionToken, staleSession };
  });
}

/** A caller, without the program that they use. */
export type LetIn = Login['actor'];

/**
 * The caller, or null when nothing was presented; throws when the credentials do not count now.
 * See protocol/authentication#credentials.
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

/** Notes that the session of somebody who was let in is used, where that was last noted long ago. */
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
