import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';

/** Trying again would not help: the job is given up at once. The reason has been logged before it is thrown. */
export class JobRefused extends Error {}

/** What a job's handler is given beside its payload. */
export interface JobContext<K> {
  readonly context: K;
  readonly realmId: RealmId;
  /** How often it was tried before this time. */
  readonly attempts: number;
  /** Deletes the job in the handler's own transaction; throws, and so undoes it, when another process has the job now. */
  readonly finish: (tx: WriteTx) => Promise<void>;
  /**
   * For a handler that takes longer than a lease: called between its steps, each far shorter than one, it keeps the job.
   * Throws when the server is about to stop or another process has the job now; the handler then ends, and leaves nothing.
   */
  readonly keep: () => Promise<void>;
}

/**
 * Which queue a job runs in: `quick` for short work, `slow` for calls to remote servers, `phones` for the push service of
 * phones, `push` for push services that people choose, any number of which may not answer. Jobs of the lane `batch` are so
 * frequent that they wait a moment and then run together.
 */
export type Lane = 'quick' | 'slow' | 'phones' | 'push' | 'batch';

/** A kind of job, its payload's type forgotten. */
export interface JobKind<P = never, K = never> {
  readonly kind: string;
  readonly lane: Lane;
  /** Runs jobs of one organization: in the lane `batch` as many as have come, elsewhere one. */
  run(payloads: readonly P[], job: JobContext<K>): Promise<void>;
}

/** Declares a kind of job. Payloads are JSON. What waits for servers elsewhere belongs into the slow lane. */
export function defineJob<P, K>(
  kind: string,
  run: (payload: P, job: JobContext<K>) => Promise<void>,
  lane: Exclude<Lane, 'batch'> = 'quick',
): JobKind<P, K> {
  const runAll = async (payloads: readonly P[], job: JobContext<K>) => {
    for (const payload of payloads) await run(payload, job);
  };
  return { kind, run: runAll, lane };
}

/**
 * Declares a kind of job of which many run as one: they are finished together by one `finish`. When that fails, each is
 * run again alone, and so is one that has failed before.
 */
export function defineBatchJob<P, K>(
  kind: string,
  run: (payloads: readonly P[], job: JobContext<K>) => Promise<void>,
): JobKind<P, K> {
  return { kind, run, lane: 'batch' };
}
