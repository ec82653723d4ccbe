import {
  type Actor,
  type AuthSource,
  constantTimeEqual,
  csrfTokenFor,
  findSession,
  isStale,
  type Login,
  type RealmRef,
  touchSession,
} from '#kernel/auth';
import { CsrfFailed, RealmDeactivated, UserDeactivated } from '#kernel/errors';
import type { Kit } from '#kernel/kit';
import type { ReadTx } from '#kernel/store';

/** What a request brought to show who sent it. */
export interface Presented {
  readonly authorization: string | undefined;
  readonly sessionToken: string | undefined;
  /** CSRF token of the header or form; looked at for sessions only. */
  readonly csrfToken: string | undefined;
  readonly isSafe: boolean;
  readonly client: string;
}

/** A caller, with the session whose use is to be written down. */
interface Authenticated {
  readonly actor: Actor | null;
  readonly staleSession?: number | undefined;
}

/**
 * The caller, or null when nothing was presented. Credentials that are wrong are an error, never "nothing".
 * Contract W6.
 */
export async function authenticate(
  { store, server }: Pick<Kit, 'store' | 'server'>,
  source: AuthSource,
  realm: RealmRef,
  presented: Presented,
): Promise<Actor | null> {
  const { actor, staleSession } = await store.query((tx) => identify(tx, source, realm, presented, server.secret));
  if (staleSession !== undefined) await store.write((tx) => touchSession(tx, realm.id, staleSession));
  return actor;
}

async function identify(
  tx: ReadTx,
  source: AuthSource,
  realm: RealmRef,
  presented: Presented,
  secret: string,
): Promise<Authenticated> {
  if (presented.authorization !== undefined) {
    const { actor, isActive } = await source.byHeader(tx, realm, presented.authorization);
    if (realm.isDeactivated) throw RealmDeactivated();
    if (!isActive) throw UserDeactivated();
    return { actor: { ...actor, client: presented.client } };
  }
  const { login, staleSession } = await bySession(tx, source, realm, presented.sessionToken);
  if (!login || presented.sessionToken === undefined) {
    if (realm.isDeactivated) throw RealmDeactivated();
    return { actor: null };
  }
  if (!presented.isSafe) assertCsrf(presented, presented.sessionToken, secret);
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!login.isActive) throw UserDeactivated();
  return { actor: { ...login.actor, client: presented.client }, staleSession };
}

async function bySession(
  tx: ReadTx,
  source: AuthSource,
  realm: RealmRef,
  token: string | undefined,
): Promise<{ readonly login?: Login | undefined; readonly staleSession?: number | undefined }> {
  const session = token === undefined ? undefined : await findSession(tx, realm.id, token);
  if (!session) return {};
  return {
    login: await source.byId(tx, realm, session.user_id),
    staleSession: isStale(session, tx.now) ? session.id : undefined,
  };
}

function assertCsrf(presented: Presented, sessionToken: string, secret: string): void {
  if (presented.csrfToken === undefined) throw CsrfFailed({ reason: 'CSRF token missing.' });
  if (!constantTimeEqual(presented.csrfToken, csrfTokenFor(secret, sessionToken)))
    throw CsrfFailed({ reason: 'CSRF token incorrect.' });
}
