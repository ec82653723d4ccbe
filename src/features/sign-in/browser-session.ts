import {
  deleteSession,
  findSession,
  insertSession,
  listSessions,
  type ProviderSession,
  SESSION_SECONDS,
} from '#kernel/auth';
import type { PageRequest } from '#kernel/endpoint';
import { deleteQueuesOf } from '#kernel/events';
import { sessionCookie } from '#kernel/http';
import type { RealmId, UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { browserName } from './browser-name.ts';

/** Somebody signed in with a browser or app that was not signed in already. See protocol/mail#mail. */
export const signedInAnew = signal<{
  readonly userId: UserId;
  /** The browser or app, as its owner knows it. */
  readonly client: string;
  readonly address: string;
}>('signed-in-anew');

/** Characters of a session's token. */
const TOKEN_LENGTH = 43;

/**
 * Begins a session for this browser and ends the one it had: a token from before signing in is worth nothing after it
 * (security#asvs, 7.2.4). Returns the cookie to set.
 */
export async function beginSession(
  request: PageRequest,
  realmId: RealmId,
  userId: UserId,
  provided?: ProviderSession,
): Promise<string> {
  const { context } = request;
  const token = context.clock.token(TOKEN_LENGTH);
  await context.store.of(realmId).write(async (tx) => {
    const client = browserName(request.headers['user-agent']);
    const isKnown = (await listSessions(tx, userId)).some((session) => session.client === client);
    await endOwnSession(request, tx);
    await insertSession(tx, userId, token, client, provided);
    if (!isKnown) await signedInAnew.send(context, tx, { userId, client, address: request.address });
  });
  return sessionCookie(context.server.externalUrl, token, SESSION_SECONDS);
}

/** Ends this browser's session, and with it the user's event queues. Returns the cookie to set. Security 2, 7.4.1. */
export async function endSession(request: PageRequest, realmId: RealmId): Promise<string> {
  await request.context.store.of(realmId).write((tx) => endOwnSession(request, tx));
  return sessionCookie(request.context.server.externalUrl, '', 0);
}

async function endOwnSession({ sessionToken }: PageRequest, tx: RealmWriteTx): Promise<void> {
  const session = sessionToken === undefined ? undefined : await findSession(tx, sessionToken);
  if (!session) return;
  await deleteSession(tx, session.user_id, session.id);
  await deleteQueuesOf(tx, [session.user_id]);
}
