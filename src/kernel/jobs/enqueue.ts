import { inChunks, type RealmWriteTx } from '#kernel/store';
import type { JobKind } from './job.ts';
import { leaveToJoin } from './joined.ts';
import { deleteJobByKey, insertJobs, leaveJob, upsertJob } from './stored.ts';

interface EnqueueOptions {
  /** Seconds since 1970; now when absent. */
  readonly runAt?: number;
  /** At most one job with this key exists per realm and kind. */
  readonly key?: string;
  /** Leaves an existing job with this key unchanged, unless it was given up. */
  readonly unlessWaiting?: boolean;
}

/** Stores a job in the transaction that needs it. */
export async function enqueue<P, K>(
  tx: RealmWriteTx,
  kind: JobKind<P, K>,
  payload: P,
  { key, runAt = tx.now, unlessWaiting = false }: EnqueueOptions = {},
): Promise<void> {
  const row = { ...rowOf(tx, kind, payload), run_at: runAt };
  if (key === undefined) (kind.lane === 'batch' ? leaveToJoin : leaveJob)(tx, row);
  else await upsertJob(tx, { ...row, job_key: key }, unlessWaiting);
  tx.wakeWorkers(kind.lane);
}

/** Stores many jobs of a kind in the transaction that needs them; they run at `runAt`, by default now. */
export async function enqueueAll<P, K>(
  tx: RealmWriteTx,
  kind: JobKind<P, K>,
  payloads: readonly P[],
  { runAt = tx.now }: Pick<EnqueueOptions, 'runAt'> = {},
): Promise<void> {
  if (payloads.length === 0) return;
  // In chunks, so that other work runs in between.
  for (const some of inChunks(payloads, 200))
    await insertJobs(
      tx,
      some.map((payload) => ({ ...rowOf(tx, kind, payload), run_at: runAt })),
    );
  tx.wakeWorkers(kind.lane);
}

/** What is stored of a job besides its time. */
function rowOf<P, K>({ realmId }: RealmWriteTx, { kind, partyOf }: JobKind<P, K>, payload: P) {
  const party = partyOf?.(payload);
  const named = party === undefined ? null : `${realmId} ${party}`;
  return { realm_id: realmId, kind, payload: JSON.stringify(payload), party: named };
}

/** Cancels the job with this key; false if there is none. */
export function cancelJob<P, K>(tx: RealmWriteTx, { kind }: JobKind<P, K>, key: string): Promise<boolean> {
  return deleteJobByKey(tx, kind, key);
}
