import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';

/** A guest, and a user whom the guest may know of. */
interface Acquaintance {
  readonly guest_id: UserId;
  readonly user_id: UserId;
}

/**
 * Lists the people with whom guests share a channel in which they are active, or a direct conversation; may contain
 * duplicates.
 */
export async function listAcquaintances(
  tx: RealmReadTx,
  guestIds: readonly UserId[],
): Promise<readonly Acquaintance[]> {
  const inChannels = await tx.db
    .selectFrom('subscription as own')
    .innerJoin('subscription as other', 'other.channel_id', 'own.channel_id')
    .innerJoin('user', 'user.id', 'other.user_id')
    .select(['own.user_id as guest_id', 'other.user_id'])
    .distinct()
    .where('own.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('own.user_id', guestIds))
    .where('own.is_subscribed', '=', true)
    .where('other.is_subscribed', '=', true)
    .where('user.is_active', '=', true)
    .execute();
  const inConversations = await tx.db
    .selectFrom('direct_participant as own')
    .innerJoin('direct_participant as other', 'other.recipient_id', 'own.recipient_id')
    .select(['own.user_id as guest_id', 'other.user_id'])
    .distinct()
    .where('own.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('own.user_id', guestIds))
    .execute();
  return [...inChannels, ...inConversations];
}

/** IDs of all bots, which everybody may know of. */
export async function listBotIds(tx: RealmReadTx): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('is_bot', '=', true)
    .execute();
  return rows.map((row) => row.id);
}
