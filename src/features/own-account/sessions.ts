import {
  deleteOtherSessions,
  deleteSession,
  findSession,
  listSessions,
  type RealmRef,
  type SessionRow,
} from '#kernel/auth';
import { deleteQueuesOf } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';

/** The sessions of this browser's user: the browser's own, and all of them with the newest use first. */
export interface Sessions {
  readonly own: SessionRow;
  readonly all: readonly SessionRow[];
}

/** The sessions that the session of a token may see; undefined for a token that is worth nothing. Security 2, 7.5.2. */
export async function findSessions(tx: RealmReadTx, token: string): Promise<Sessions | undefined> {
  const own = await findSession(tx, token);
  return own && { own, all: await listSessions(tx, own.user_id) };
}

/**
 * Ends one of the user's other sessions, or all of them. Event queues do not say which session polls them, so all of the
 * user's end: what is still in use registers again. Security 2, 7.4.
 */
export function endOtherSessions(
  context: Context,
  realm: RealmRef,
  own: SessionRow,
  id: number | 'all',
): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    if (id === own.id) return;
    if (id === 'all') await deleteOtherSessions(tx, own.user_id, own.id);
    else if (!(await deleteSession(tx, own.user_id, id))) return;
    await deleteQueuesOf(tx, [own.user_id]);
  });
}
