import { realmCache } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { listAllMuted } from './queries.ts';

/**
 * Who has muted each user of a realm; users whom nobody has muted are missing. What a muted user writes is read from the
 * start and notifies nobody of them. Contract surrounding 3.5.
 */
export const mutersByUser = realmCache({
  types: ['muted_users'],
  read: async (tx, realmId): Promise<ReadonlyMap<UserId, readonly UserId[]>> => {
    const muters = new Map<UserId, UserId[]>();
    for (const { user_id, muted_user_id } of await listAllMuted(tx, realmId)) {
      const known = muters.get(muted_user_id);
      if (known) known.push(user_id);
      else muters.set(muted_user_id, [user_id]);
    }
    return muters;
  },
});
