import { dict } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listUsersWithSettings } from '#features/users';
import { listStatuses } from './queries.ts';
import { toWireStatus } from './to-wire.ts';
import { type WireStatus, wireStatus } from './wire.ts';

/** Statuses of active people, by user ID; people without one are left out. See protocol/status#shown. */
export const userStatusState = registerState({
  fetchType: 'user_status',
  sameFor: ({ tx }) => (tx.actor?.viewer.hidden ? undefined : `${tx.actor !== null}`),
  source: 'protocol/status#shown',
  fields: { user_status: dict(wireStatus) },
  read: async ({ tx }) => {
    if (!tx.actor) return { user_status: {} };
    const rows = new Map((await listStatuses(tx)).map((row) => [row.user_id, row]));
    const user_status: Record<string, WireStatus> = {};
    for (const user of await listUsersWithSettings(tx, [...rows.keys()])) {
      if (!user.is_active || user.is_bot || tx.actor.viewer.hidden?.has(user.id)) continue;
      const status = toWireStatus(user, rows.get(user.id));
      if (Object.keys(status).length > 0) user_status[user.id] = status;
    }
    return { user_status };
  },
});
