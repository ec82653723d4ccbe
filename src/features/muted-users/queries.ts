import type { ActorWriteTx } from '#kernel/auth';
import { realmCache } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiled, type RealmReadTx } from '#kernel/store';
import type { MutedUserRow } from './tables.ts';

/** The users that a user has muted, in the order of muting. */
export const listMuted = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('muted_user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('muted_at')
    .orderBy('muted_user_id'),
);

/** All pairs of users of the organization of which one has muted the other. */
function listAllMuted(tx: RealmReadTx): Promise<readonly Pick<MutedUserRow, 'user_id' | 'muted_user_id'>[]> {
  return tx.db
    .selectFrom('muted_user')
    .select(['user_id', 'muted_user_id'])
    .where('realm_id', '=', tx.realmId)
    .orderBy('user_id')
    .execute();
}

/** Mutes a user for the actor; returns false if they were muted already. */
export async function insertMuted(tx: ActorWriteTx, mutedUserId: UserId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('muted_user')
    .values({ realm_id: tx.realmId, user_id: tx.actor.userId, muted_user_id: mutedUserId, muted_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Unmutes a user for the actor; returns false if they were not muted. */
export async function deleteMuted(tx: ActorWriteTx, mutedUserId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('muted_user')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('muted_user_id', '=', mutedUserId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * The users who have muted each user of a realm; users whom nobody has muted are missing. Messages of a muted user
 * count as read for those who muted them, and do not notify them. See protocol/messages#effects.
 */
export const mutersByUser = realmCache({
  endedBy: ['muted_users'],
  read: async (tx): Promise<ReadonlyMap<UserId, readonly UserId[]>> => {
    const muted = await listAllMuted(tx);
    return grouped(muted.map((row) => [row.muted_user_id, row.user_id]));
  },
});
