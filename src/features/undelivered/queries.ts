import type { ReadTx, RealmWriteTx } from '#kernel/store';
import type { Road } from './tables.ts';

/** Adds to a day's count. */
export async function addUndelivered(
  tx: RealmWriteTx,
  day: number,
  { road, reason, count }: { readonly road: Road; readonly reason: string; readonly count: number },
): Promise<void> {
  await tx.db
    .insertInto('undelivered')
    .values({ realm_id: tx.realmId, day, road, reason, count, last_at: tx.now })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'day', 'road', 'reason'])
        .doUpdateSet((row) => ({ count: row('undelivered.count', '+', row.val(count)), last_at: tx.now })),
    )
    .execute();
}

/** Deletes the counts of days before one. */
export async function deleteUndeliveredBefore(tx: RealmWriteTx, day: number): Promise<void> {
  await tx.db.deleteFrom('undelivered').where('realm_id', '=', tx.realmId).where('day', '<', day).execute();
}

/** Failed notifications of all organizations since a day, the most frequent first. */
export interface UndeliveredCount {
  readonly road: Road;
  readonly reason: string;
  readonly count: number;
  readonly last_at: number;
}

export async function countUndelivered(tx: ReadTx, since: number, limit: number): Promise<readonly UndeliveredCount[]> {
  const rows = await tx.db
    .selectFrom('undelivered')
    .select((row) => [
      'road',
      'reason',
      row.fn.sum<number | string>('count').as('count'),
      row.fn.max<number | string>('last_at').as('last_at'),
    ])
    .where('day', '>=', since)
    .groupBy(['road', 'reason'])
    .orderBy('count', 'desc')
    .orderBy('road')
    .orderBy('reason')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count), last_at: Number(row.last_at) }));
}
