import { record } from '#kernel/audit';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmId, UserId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import {
  col,
  compiled,
  firstOf,
  type RealmReadTx,
  type RealmWriteTx,
  type RowOf,
  type SelectOf,
  table,
} from '#kernel/store';
import { deriveKey } from './api-keys.ts';

/** Seconds a browser session lives, and its cookie. */
export const SESSION_SECONDS = 14 * SECONDS_PER_DAY;

/** Seconds after which a session ends that nobody uses: a long weekend and a day (security#asvs, 7.3.1). */
export const SESSION_IDLE_SECONDS = 5 * SECONDS_PER_DAY;

/** Seconds after its owner authenticated during which a session may do dangerous operations. */
export const CONFIRMED_SECONDS = 900;

/** Seconds that `last_seen_at` may lag behind, so that using a session seldom writes. */
const TOUCH_SECONDS = 600;

/** Most sessions that a user is shown; ending all others ends those beyond it too. */
const MAX_LISTED = 100;

/** Browser sessions. The token itself is only in the cookie. `client` names the browser as its owner knows it. */
const session = table('session', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  token_hash: col.text(),
  client: col.text(),
  created_at: col.int(),
  last_seen_at: col.int(),
  /** When its owner last authenticated: at log-in, or by confirming since then. */
  confirmed_at: col.int(),
  /** ID of the provider by which it began; null for every other way. */
  provider_id: col.textOrNull(),
  provider_subject: col.textOrNull(),
  /** What the provider calls its own session (`sid`). */
  provider_session: col.textOrNull(),
  /** The sealed ID token, by which the provider recognizes the session that is to end. */
  provider_token: col.textOrNull(),
});
export type SessionRow = SelectOf<typeof session>;

declare module '#kernel/store' {
  interface Tables {
    session: RowOf<typeof session>;
  }
}

/** A session at an identity provider, from which one here begins. */
export interface ProviderSession
  extends Pick<SessionRow, 'provider_id' | 'provider_subject' | 'provider_session' | 'provider_token'> {
  /** Seconds since 1970 when its owner authenticated there; absent where that is not known, and then counts as now. */
  readonly signed_in_at?: number | undefined;
}

const NO_PROVIDER: ProviderSession = {
  provider_id: null,
  provider_subject: null,
  provider_session: null,
  provider_token: null,
};

/** A session that begins. */
interface NewSession {
  readonly token: string;
  /** Name of the browser. */
  readonly client: string;
  readonly provided?: ProviderSession | undefined;
}

/** Begins a session for a token that only the browser keeps, and deletes expired sessions of its user. */
export async function insertSession(
  tx: RealmWriteTx,
  userId: UserId,
  { token, client, provided: { signed_in_at, ...provided } = NO_PROVIDER }: NewSession,
): Promise<void> {
  await tx.db
    .deleteFrom('session')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where((session) =>
      session.or([
        session('created_at', '<=', tx.now - SESSION_SECONDS),
        session('last_seen_at', '<=', tx.now - SESSION_IDLE_SECONDS),
      ]),
    )
    .execute();
  await tx.db
    .insertInto('session')
    .values({
      realm_id: tx.realmId,
      user_id: userId,
      token_hash: sha256(token),
      client,
      created_at: tx.now,
      last_seen_at: tx.now,
      confirmed_at: Math.min(signed_in_at ?? tx.now, tx.now),
      ...provided,
    })
    .execute();
  const target = { kind: 'user', id: userId };
  record(tx, { action: 'session.begun', target, after: { client } }, { kind: 'person', userId });
}

/** The session of a token, unless it has expired. */
export function findSession(tx: RealmReadTx, token: string): Promise<SessionRow | undefined> {
  return sessionOf(tx, sha256(token), tx.now - SESSION_SECONDS, tx.now - SESSION_IDLE_SECONDS);
}

const sessionOf = firstOf(
  compiled(({ db, realmId }, hash: string, createdAfter: number, seenAfter: number) =>
    db
      .selectFrom('session')
      .selectAll()
      .where('realm_id', '=', realmId)
      .where('token_hash', '=', hash)
      .where('created_at', '>', createdAfter)
      .where('last_seen_at', '>', seenAfter),
  ),
);

/** A user's sessions that have not expired, newest use first. */
export function listSessions(tx: RealmReadTx, userId: UserId): Promise<readonly SessionRow[]> {
  return tx.db
    .selectFrom('session')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('created_at', '>', tx.now - SESSION_SECONDS)
    .where('last_seen_at', '>', tx.now - SESSION_IDLE_SECONDS)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** Whether the last recorded use of a session is so old that this use must be written. */
export function isStale(session: SessionRow, now: number): boolean {
  return session.last_seen_at <= now - TOUCH_SECONDS;
}

/** Records that a session is used. */
export async function touchSession(tx: RealmWriteTx, id: number): Promise<void> {
  await tx.db
    .updateTable('session')
    .set({ last_seen_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Records that the owner of a session has authenticated again. */
export async function confirmSession(tx: RealmWriteTx, userId: UserId, id: number): Promise<void> {
  await tx.db
    .updateTable('session')
    .set({ confirmed_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  record(tx, { action: 'session.confirmed', target: { kind: 'user', id: userId } });
}

export async function deleteSession(tx: RealmWriteTx, userId: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('session')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  recordEnd(tx, userId, numDeletedRows);
  return numDeletedRows > 0n;
}

function recordEnd(tx: RealmWriteTx, userId: UserId, ended: bigint): void {
  if (ended === 0n) return;
  record(tx, {
    action: 'session.ended',
    target: { kind: 'user', id: userId },
    after: { ended: Number(ended) },
  });
}

/** Ends every session of a user: at deactivation, or when the password changes. */
export async function deleteSessionsOf(tx: RealmWriteTx, userId: UserId): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('session')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  recordEnd(tx, userId, numDeletedRows);
}

/**
 * Ends sessions that began at a provider: those with the provider's session names, or all of one person there. Returns
 * whose they were.
 */
export async function deleteSessionsOfProvider(
  tx: RealmWriteTx,
  providerId: string,
  {
    subject,
    session,
  }: { readonly subject: string | undefined; readonly session: string | readonly string[] | undefined },
): Promise<readonly UserId[]> {
  if (subject === undefined && session === undefined) return [];
  let gone = tx.db.deleteFrom('session').where('realm_id', '=', tx.realmId).where('provider_id', '=', providerId);
  if (subject !== undefined) gone = gone.where('provider_subject', '=', subject);
  if (session !== undefined) gone = gone.where('provider_session', 'in', [session].flat());
  const rows = await gone.returning('user_id').execute();
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
  for (const userId of userIds) recordEnd(tx, userId, BigInt(rows.filter(({ user_id }) => user_id === userId).length));
  return userIds;
}

/** Ends every session of an organization. */
export async function deleteSessionsIn(tx: RealmWriteTx): Promise<void> {
  await tx.db.deleteFrom('session').where('realm_id', '=', tx.realmId).execute();
}

/** Ends every session of a user but one. */
export async function deleteOtherSessions(tx: RealmWriteTx, userId: UserId, id: number): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('session')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '<>', id)
    .executeTakeFirst();
  recordEnd(tx, userId, numDeletedRows);
}

/** The token a form of this session must carry; it follows from the session's own, so nothing is stored for it. */
export function csrfTokenFor(secret: string, sessionToken: string): string {
  return deriveKey(secret, `csrf:${sha256(sessionToken)}`);
}
