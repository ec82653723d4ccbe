import { realmCache } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { listAllMuted } from './queries.ts';

/**
 * Who has muted each user of a realm; users whom nobody has muted are missing. What a muted user writes is read from the
 * start and notifies nobody of them. See protocol/messages#effects.
 */
export const mutersByUser = realmCache({
  endedBy: ['muted_users'],
  read: async (tx): Promise<ReadonlyMap<UserId, readonly UserId[]>> => {
    const muted = await listAllMuted(tx);
    return grouped(muted.map((row) => [row.muted_user_id, row.user_id]));
  },
});
