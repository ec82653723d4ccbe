import { listEntriesBefore } from '#kernel/audit';
import { endpoint, json, optional, owners, raw, withDefault } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { bool, idOf, int, list, text } from '#kernel/schema';
import { toWireEntry, wireEntry } from './wire.ts';

/** Most entries of one reply. */
const MAX_PAGE = 200;
/** Longest name of an action, in characters. */
const MAX_ACTION = 60;
/** Greater than each entry's number and time. */
const END = Number.MAX_SAFE_INTEGER;

const getAuditLog = endpoint({
  id: 'get-audit-log',
  method: 'GET',
  path: '/realm/audit_log',
  source: 'protocol/organizations#audit-log',
  doc: 'Who did what to accounts, rights, settings and channels; newest first, a page at a time.',
  who: owners,
  params: {
    before_entry: withDefault(json(int({ min: 1, max: END })), END),
    max_entries: withDefault(json(int({ min: 1, max: MAX_PAGE })), 50),
    action: optional(raw(text({ max: MAX_ACTION }))),
    actor_id: optional(json(idOf<UserId>())),
    target_user_id: optional(json(idOf<UserId>())),
    since: optional(json(int({ min: 0, max: END }))),
    until: optional(json(int({ min: 0, max: END }))),
  },
  returns: { entries: list(wireEntry), found_oldest: bool() },
  run: async ({ realm, params, context }) => {
    const { before_entry, max_entries, action, actor_id: actorId, target_user_id: targetUserId, since, until } = params;
    const filter = { action, actorId, targetUserId, since, until };
    const rows = await context.store
      .in(realm)
      .query((tx) => listEntriesBefore(tx, filter, before_entry, max_entries + 1));
    return { entries: rows.slice(0, max_entries).map(toWireEntry), found_oldest: rows.length <= max_entries };
  },
});

export const auditEndpoints = [getAuditLog];
