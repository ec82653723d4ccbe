import { deleteOtherSessions, deleteSession, findSession, listSessions, type SessionRow } from '#kernel/auth';
import { deleteQueuesOf } from '#kernel/events';
import type { RealmRequest } from '#kernel/endpoint';
import type { RealmReadTx } from '#kernel/store';

/** The sessions of this browser's user: the browser's own, and all of them, most recently used first. */
export interface Sessions {
  readonly own: SessionRow;
  readonly all: readonly SessionRow[];
}

/** The sessions that the owner of a token may see; undefined if the token is not valid. Security 2, 7.5.2. */
export async function findSessions(tx: RealmReadTx, token: string): Promise<Sessions | undefined> {
  const own = await findSession(tx, token);
  return own && { own, all: await listSessions(tx, own.user_id) };
}

/**
 * Ends one of the user's other sessions, or all of them. Event queues do not record which session polls them, so all
 * queues of the user end; clients that are still signed in register again. Security 2, 7.4.
 */
export function endOtherSessions({ context, realm }: RealmRequest, own: SessionRow, id: number | 'all'): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    if (id === own.id) return;
    if (id === 'all') await deleteOtherSessions(tx, own.user_id, own.id);
    else if (!(await deleteSession(tx, own.user_id, id))) return;
    await deleteQueuesOf(tx, [own.user_id]);
  });
}
