import { SECONDS_PER_DAY } from '#kernel/clock';
import type { ChannelId, RecipientId } from '#kernel/ids';
import { type RealmReadTx, sql } from '#kernel/store';
import type { MessageRow } from '#features/messages';

/** A conversation and the channel it belongs to; null for direct messages. */
export interface Conversation {
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
}

/**
 * Lists at most `limit` conversations whose oldest message has outlived its retention period. `days` applies to
 * channels without a period of their own and to direct messages; -1 is for ever. One index look-up for each
 * conversation. Days are compared without multiplying, because imports and earlier releases may have numbers too large
 * for that.
 */
export async function listOverdue(tx: RealmReadTx, days: number, limit: number): Promise<readonly Conversation[]> {
  const period = sql<number>`coalesce(channel.message_retention_days, ${days})`;
  return tx.db
    .selectFrom('recipient')
    .leftJoin('channel', 'channel.id', 'recipient.channel_id')
    .innerJoin('message', (join) =>
      join.on(
        'message.id',
        '=',
        sql<never>`(select min(oldest.id) from message as oldest where oldest.realm_id = ${tx.realmId} and oldest.recipient_id = recipient.id)`,
      ),
    )
    .select(['recipient.id as recipient_id', 'recipient.channel_id'])
    .where('recipient.realm_id', '=', tx.realmId)
    .where(sql<boolean>`${period} > 0`)
    .where(sql<boolean>`(${tx.now} - message.sent_at) / ${sql.lit(SECONDS_PER_DAY)} >= ${period}`)
    .orderBy('recipient.id')
    .limit(limit)
    .execute();
}

/** The oldest messages of a conversation that are older than `days`, at most `limit`. */
export async function listOldest(
  tx: RealmReadTx,
  recipientId: RecipientId,
  days: number,
  limit: number,
): Promise<readonly MessageRow[]> {
  const rows = await tx.db
    .selectFrom('message')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('recipient_id', '=', recipientId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.filter((row) => row.sent_at <= tx.now - days * SECONDS_PER_DAY);
}
