import { compiledServerWide, type WriteTx } from '#kernel/store';
import type { JobRow } from './tables.ts';

/** Deletes jobs of the same attempt; false if one of them was claimed again, stored again or cancelled meanwhile. */
export async function deleteJobs(tx: WriteTx, jobs: readonly JobRow[]): Promise<boolean> {
  const ids = jobs.map(({ id }) => id);
  const deleted = await deleteAtTry(tx, ids, jobs[0]?.attempts ?? 0);
  return deleted.length === jobs.length;
}

const deleteAtTry = compiledServerWide(({ db, dialect }, ids: readonly number[], attempts: number) =>
  db.deleteFrom('job').where(dialect.anyOf('id', ids)).where('attempts', '=', attempts).returning('id'),
);

/**
 * Adjusts jobs after the clock was set by `seconds` (negative for back): what was due stays due, and no lease lasts
 * longer than a new one. Harmless if repeated, as when several processes on a machine notice the change.
 */
export async function shiftJobs(tx: WriteTx, seconds: number, leaseSeconds: number): Promise<void> {
  const before = tx.now - seconds;
  const until = tx.now + leaseSeconds;
  const leased = tx.db.updateTable('job').set({ leased_until: until });
  if (seconds > 0) {
    await leased.where('leased_until', '>', before).where('leased_until', '<', until).execute();
    return;
  }
  await leased.where('leased_until', '>', until).execute();
  await tx.db
    .updateTable('job')
    .set({ run_at: tx.now })
    .where('run_at', '>', tx.now)
    .where('run_at', '<=', before)
    .where('failed_at', 'is', null)
    .execute();
}

/** Releases a job to be run at `runAt`, or gives it up if `failedAt` is given. */
export async function releaseJob(
  tx: WriteTx,
  { id, attempts }: JobRow,
  runAt: number,
  failedAt: number | null,
): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ leased_until: 0, run_at: runAt, failed_at: failedAt })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Releases a claimed job that was not run because the process ends, as if it had not been claimed. */
export async function returnJob(tx: WriteTx, { id, attempts }: JobRow): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ leased_until: 0, run_at: tx.now, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/**
 * Ends the lease of jobs that were stored again while they ran, so that they run at their new time. Returns whether
 * there was one.
 */
export async function freeRenewed(tx: WriteTx, jobs: readonly JobRow[]): Promise<boolean> {
  const ids = jobs.map(({ id }) => id);
  const { numUpdatedRows } = await tx.db
    .updateTable('job')
    .set({ leased_until: 0 })
    .where(tx.dialect.anyOf('id', ids))
    // A claim counts an attempt, so 0 attempts means that the job was stored again after it was claimed.
    .where('attempts', '=', 0)
    .where('leased_until', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renews the lease of claimed jobs; false if one of them was claimed again, stored again or cancelled. */
export async function extendLease(tx: WriteTx, jobs: readonly JobRow[], seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('job')
    .set({ leased_until: tx.now + seconds })
    .where(
      tx.dialect.anyOf(
        'id',
        jobs.map(({ id }) => id),
      ),
    )
    .where('attempts', '=', jobs[0]?.attempts ?? 0)
    .executeTakeFirst();
  return Number(numUpdatedRows) === jobs.length;
}
