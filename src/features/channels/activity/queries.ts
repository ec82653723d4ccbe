import { SECONDS_PER_DAY } from '#kernel/clock';
import type { ChannelId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import type { ChannelRow } from '../core/index.ts';

interface DayCount {
  readonly channel_id: ChannelId;
  readonly day: number;
  readonly message_count: number;
}

/** The newest day that was counted; undefined when none was. */
export async function newestDay(tx: RealmReadTx): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('channel_traffic')
    .select('day')
    .where('realm_id', '=', tx.realmId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.day;
}

/** Messages of each channel on each of the days [from, until). Its cost follows the messages of these days. */
export async function countDays(tx: RealmReadTx, from: number, until: number): Promise<readonly DayCount[]> {
  const day = sql<number>`sent_at / ${sql.lit(SECONDS_PER_DAY)}`;
  const rows = await tx.db
    .selectFrom('message')
    .select(['channel_id', day.as('day'), sql<number>`count(*)`.as('message_count')])
    .where('realm_id', '=', tx.realmId)
    .where('sent_at', '>=', from * SECONDS_PER_DAY)
    .where('sent_at', '<', until * SECONDS_PER_DAY)
    .where('channel_id', 'is not', null)
    .groupBy(['channel_id', day])
    .execute();
  return rows.flatMap(({ channel_id, ...row }) => (channel_id === null ? [] : [{ ...row, channel_id }]));
}

/** Stores counts; counting a day again changes nothing. */
export async function upsertCounts(tx: RealmWriteTx, counts: readonly DayCount[]): Promise<void> {
  for (const chunk of inChunks(counts, 500)) {
    await tx.db
      .insertInto('channel_traffic')
      .values(chunk.map((count) => ({ ...count, realm_id: tx.realmId })))
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'day']).doUpdateSet({ message_count: sql<number>`excluded.message_count` }),
      )
      .execute();
  }
}

/** Deletes the counts of days before `day`. */
export async function deleteDaysBefore(tx: RealmWriteTx, day: number): Promise<void> {
  await tx.db.deleteFrom('channel_traffic').where('realm_id', '=', tx.realmId).where('day', '<', day).execute();
}

/** Messages counted for each channel since `day`. */
export async function countsSince(tx: RealmReadTx, day: number): Promise<ReadonlyMap<ChannelId, number>> {
  const rows = await tx.db
    .selectFrom('channel_traffic')
    .select(['channel_id', sql<number>`sum(message_count)`.as('total')])
    .where('realm_id', '=', tx.realmId)
    .where('day', '>=', day)
    .groupBy('channel_id')
    .execute();
  return new Map(rows.map((row) => [row.channel_id, Number(row.total)]));
}

/** Everything about channels that decides how busy they are. */
export function listActivity(
  tx: RealmReadTx,
): Promise<
  readonly Pick<ChannelRow, 'id' | 'date_created' | 'last_message_at' | 'is_recently_active' | 'weekly_traffic'>[]
> {
  return tx.db
    .selectFrom('channel')
    .select(['id', 'date_created', 'last_message_at', 'is_recently_active', 'weekly_traffic'])
    .where('realm_id', '=', tx.realmId)
    .orderBy('id')
    .execute();
}
