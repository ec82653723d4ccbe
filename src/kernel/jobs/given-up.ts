import type { ReadTx, WriteTx } from '#kernel/store';
import { type JobRow, MAX_ATTEMPTS } from './tables.ts';

/** A job that was given up after its last attempt, or refused. */
export interface GivenUpJob extends Pick<JobRow, 'id' | 'realm_id' | 'kind' | 'attempts'> {
  /** When it was given up, in seconds since 1970. */
  readonly failed_at: number;
}

/** Whether it was refused before its last attempt. */
export const isRefused = (attempts: number): boolean => attempts < MAX_ATTEMPTS;

/** Lists jobs that were given up, newest first. */
export function listGivenUp(tx: ReadTx, limit: number): Promise<readonly GivenUpJob[]> {
  return tx.db
    .selectFrom('job')
    .select(['id', 'realm_id', 'kind', 'attempts', 'failed_at'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$narrowType<{ failed_at: number }>()
    .execute();
}

/** Deletes jobs that were given up before a time. */
export async function deleteGivenUpBefore(tx: WriteTx, time: number): Promise<void> {
  await tx.db.deleteFrom('job').where('failed_at', '<', time).execute();
}

/** Retries the given-up job with this ID, or all; returns how many. */
export async function retryGivenUp(tx: WriteTx, id: number | undefined): Promise<number> {
  const all = tx.db
    .updateTable('job')
    .set({ failed_at: null, attempts: 0, run_at: tx.now, leased_until: 0 })
    .where('failed_at', 'is not', null);
  const { numUpdatedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst();
  return Number(numUpdatedRows);
}
