import type { RealmId, UserId } from '#kernel/ids';
import { type ReadTx, sql, type WriteTx } from '#kernel/store';
import type { UnfinishedUpload } from '../tables.ts';

/** How many uploads are unfinished, and the bytes that they may take, sent or not. */
interface Unfinished {
  readonly count: number;
  readonly bytes: number;
}

/** What is unfinished of a person or an organization; of the whole server where neither is named. */
export async function readUnfinished(
  tx: ReadTx,
  of: { readonly realm_id?: RealmId; readonly owner_id?: UserId },
): Promise<Unfinished> {
  let query = tx.db
    .selectFrom('unfinished_upload')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(size), 0)`.as('bytes')]);
  if (of.realm_id !== undefined) query = query.where('realm_id', '=', of.realm_id);
  if (of.owner_id !== undefined) query = query.where('owner_id', '=', of.owner_id);
  const { count, bytes } = await query.executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes) };
}

export async function insertUnfinished(tx: WriteTx, row: Omit<UnfinishedUpload, 'begun_at'>): Promise<void> {
  await tx.db
    .insertInto('unfinished_upload')
    .values({ ...row, begun_at: tx.now })
    .execute();
}

/** Forgets an upload that is finished or was given up; of others there is no row. */
export async function deleteUnfinished(tx: WriteTx, pathId: string): Promise<void> {
  await tx.db.deleteFrom('unfinished_upload').where('path_id', '=', pathId).execute();
}

/** Forgets what was begun before a time, in seconds since 1970. */
export async function deleteUnfinishedBefore(tx: WriteTx, before: number): Promise<void> {
  await tx.db.deleteFrom('unfinished_upload').where('begun_at', '<', before).execute();
}
