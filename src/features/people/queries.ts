import type { MessageRow } from '#features/messages';
import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import type { ErasedKinds } from './erase-messages.ts';

/**
 * The newest messages of a sender of the given kinds, including those in archived channels. See
 * protocol/users#deactivating.
 */
export async function listMessagesOf(
  tx: RealmReadTx,
  userId: UserId,
  kinds: ErasedKinds,
  limit: number,
): Promise<readonly MessageRow[]> {
  const { delete_public_channel_messages, delete_private_channel_messages, delete_direct_messages } = kinds;
  if (!delete_public_channel_messages && !delete_private_channel_messages && !delete_direct_messages) return [];
  return tx.db
    .selectFrom('message')
    .leftJoin('channel', 'channel.id', 'message.channel_id')
    .selectAll('message')
    .where('message.realm_id', '=', tx.realmId)
    .where('message.sender_id', '=', userId)
    .where((where) =>
      where.or([
        ...(delete_direct_messages ? [where('message.channel_id', 'is', null)] : []),
        ...(delete_private_channel_messages ? [where('channel.invite_only', '=', true)] : []),
        ...(delete_public_channel_messages
          ? [
              where.and([
                where('channel.invite_only', '=', false),
                where('channel.history_public_to_subscribers', '=', true),
              ]),
            ]
          : []),
      ]),
    )
    .orderBy('message.id', 'desc')
    .limit(limit)
    .execute();
}
