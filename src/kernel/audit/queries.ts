import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import type { AuditRow } from './tables.ts';

/** Filter for entries of a log; all given conditions must hold. */
export interface AuditFilter {
  /** An action, as in `user.role`, or the beginning of several, as in `user.`. */
  readonly action?: string | undefined;
  /** Who did it. */
  readonly actorId?: UserId | undefined;
  /** The account that it was done to. */
  readonly targetUserId?: UserId | undefined;
  /** Seconds since 1970, from and to. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Entries of an organization's log before a number, newest first. */
export function listEntriesBefore(
  tx: RealmReadTx,
  filter: AuditFilter,
  before: number,
  limit: number,
): Promise<readonly AuditRow[]> {
  return matching(tx, filter).where('sequence', '<', before).orderBy('sequence', 'desc').limit(limit).execute();
}

/** Entries of an organization's log after a number, oldest first; for exports. */
export function listEntriesAfter(
  tx: RealmReadTx,
  filter: AuditFilter,
  after: number,
  limit: number,
): Promise<readonly AuditRow[]> {
  return matching(tx, filter).where('sequence', '>', after).orderBy('sequence').limit(limit).execute();
}

function matching(tx: RealmReadTx, { action, actorId, targetUserId, since, until }: AuditFilter) {
  let query = tx.db.selectFrom('audit_entry').selectAll().where('realm_id', '=', tx.realmId);
  // `/` follows `.` in the alphabet, so a range finds all actions with this beginning and uses the index.
  if (action?.endsWith('.'))
    query = query.where('action', '>=', action).where('action', '<', `${action.slice(0, -1)}/`);
  else if (action !== undefined) query = query.where('action', '=', action);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (targetUserId !== undefined) query = query.where('target_kind', '=', 'user').where('target_id', '=', targetUserId);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  return query;
}
