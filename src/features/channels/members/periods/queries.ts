import type { MembershipSource } from '#kernel/events';
import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';

/**
 * A subscription period that begins: the user receives entries of the log after this one and messages after this one.
 */
interface PeriodStart {
  readonly realm_id: RealmId;
  readonly channel_id: ChannelId;
  readonly user_id: UserId;
  readonly from_event_id: number;
  readonly after_message_id: number;
}

/** Begins subscription periods. */
export async function insertPeriods(tx: WriteTx, rows: readonly PeriodStart[]): Promise<void> {
  for (const chunk of inChunks(rows, 500)) {
    const values = chunk.map((row) => ({ ...row, to_event_id: null, until_message_id: null }));
    await tx.db.insertInto('subscription_period').values(values).execute();
  }
}

/**
 * Ends the users' subscription periods in the channels: they no longer receive entries after `position` and messages
 * after `messageId`.
 */
export async function endPeriods(
  tx: RealmWriteTx,
  userIds: readonly UserId[],
  channelIds: readonly ChannelId[],
  end: { readonly position: number; readonly messageId: number },
): Promise<void> {
  await tx.db
    .updateTable('subscription_period')
    .set({ to_event_id: end.position, until_message_id: end.messageId })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .where(tx.dialect.anyOf('channel_id', channelIds))
    .where('to_event_id', 'is', null)
    .execute();
}

/** All subscription periods of a channel, for the event log. */
export const periodsOfChannel: MembershipSource = async (tx, channelId) => {
  const rows = await tx.db
    .selectFrom('subscription_period')
    .select(['user_id', 'from_event_id', 'to_event_id', 'after_message_id', 'until_message_id'])
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    user_id: row.user_id,
    from: row.from_event_id,
    to: row.to_event_id ?? undefined,
    first_message_id: row.after_message_id,
    last_message_id: row.until_message_id ?? undefined,
  }));
};

/** The newest message of the organization; subscriptions begin after it. 0 when there is none. */
export async function newestMessageId(tx: RealmReadTx): Promise<number> {
  const row = await tx.db
    .selectFrom('message')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}
