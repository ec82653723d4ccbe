import {
  type Closing,
  compiledLast,
  compiledServerWide,
  inChunks,
  type RealmWriteTx,
  type WriteTx,
} from '#kernel/store';
import { jobTable, type KeylessJob, type NewJob } from './tables.ts';

/**
 * Stores a job; an existing one with the same key gets the new payload and time, with `unlessWaiting` only if it was
 * given up.
 */
export async function upsertJob(tx: WriteTx, job: NewJob, unlessWaiting: boolean): Promise<void> {
  const { realm_id, kind, job_key, payload, run_at, party = null } = job;
  await (unlessWaiting ? addJob : renewJob)(tx, { realm_id, kind, job_key, payload, run_at, party });
}

const addJob = upsert(true);
const renewJob = upsert(false);

function upsert(unlessWaiting: boolean) {
  return compiledServerWide(({ db }, job: NewJob) =>
    db
      .insertInto('job')
      .values({ ...job, leased_until: 0, attempts: 0, failed_at: null })
      .onConflict((conflict) => {
        const renewed = conflict
          .columns(['realm_id', 'kind', 'job_key'])
          .doUpdateSet({ payload: job.payload, run_at: job.run_at, attempts: 0, failed_at: null });
        return unlessWaiting ? renewed.where('job.failed_at', 'is not', null) : renewed;
      }),
  );
}

const UNTOUCHED = { job_key: null, leased_until: 0, attempts: 0, failed_at: null, party: null } as const;

/** Stores a job without a key at the end of the transaction, together with other writes. */
export function leaveJob(tx: WriteTx, job: KeylessJob): void {
  if (tx.later) tx.later.insert(jobTable, { ...UNTOUCHED, ...job }, { isNew: true });
  else tx.beforeCommit(insertJobs, job);
}

/** Stores jobs without keys, many in one statement. They have no attempts unless they say so. */
export const insertJobs: Closing<KeylessJob & { readonly attempts?: number }> = async (tx, jobs) => {
  const [only] = jobs;
  if (only && jobs.length === 1 && only.attempts === undefined) {
    const { realm_id, kind, payload, run_at, party = null } = only;
    await insertJob(tx, { realm_id, kind, payload, run_at, party });
    return;
  }
  for (const chunk of inChunks(jobs, 200)) {
    const rows = chunk.map((job) => ({ ...UNTOUCHED, ...job }));
    await tx.db.insertInto('job').values(rows).execute();
  }
};

const insertJob = compiledLast(({ db }, job: Required<KeylessJob>) =>
  db.insertInto('job').values({ ...UNTOUCHED, ...job }),
);

export async function deleteJobByKey(tx: RealmWriteTx, kind: string, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('job')
    .where('realm_id', '=', tx.realmId)
    .where('kind', '=', kind)
    .where('job_key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteJobsOf(tx: RealmWriteTx): Promise<void> {
  await tx.db.deleteFrom('job').where('realm_id', '=', tx.realmId).execute();
}
