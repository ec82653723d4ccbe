import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';

/** Thrown when retrying would not help; the job is given up at once. The reason was logged before. */
export class JobRefused extends Error {}

/** What a job's handler gets besides the payload. */
export interface JobContext<K> {
  readonly context: K;
  readonly realmId: RealmId;
  /** How many attempts there were before this one. */
  readonly attempts: number;
  /**
   * Deletes the job in the handler's own transaction. Throws, which rolls the transaction back, if another process has
   * claimed the job.
   */
  readonly finish: (tx: WriteTx) => Promise<void>;
  /**
   * Renews the lease; a handler that takes long calls it between its steps. Throws if the server is stopping or another
   * process has claimed the job; the handler must then end without effect.
   */
  readonly keep: () => Promise<void>;
}

/**
 * Which queue a job runs in: `quick` for short work, `slow` for calls to remote servers that the operator chose, as for
 * mails, `previews` for pages and pictures that people name and `webhooks` for servers of bots, any number of which may
 * not answer, `pictures` for work on large pictures, `exports` for archives of organizations, which take minutes,
 * `phones` for the push service of phones, `push` for push services that users choose. Jobs in `batch` are frequent;
 * they wait a moment and run together.
 */
export type Lane = 'quick' | 'slow' | 'pictures' | 'exports' | 'previews' | 'webhooks' | 'phones' | 'push' | 'batch';

/** A kind of job, without the type of its payload. */
export interface JobKind<P = never, K = never> {
  readonly kind: string;
  readonly lane: Lane;
  /** See `JobOptions`. */
  readonly partyOf?: (payload: P) => string | undefined;
  /** Runs jobs of one organization: several in the lane `batch`, otherwise one. */
  run(payloads: readonly P[], job: JobContext<K>): Promise<void>;
}

/** How jobs of a kind share workers. */
interface JobOptions<P> {
  /**
   * The party in the organization that a job runs for: in a lane that is shared, one party gets at most half of the
   * workers that its organization may hold. Undefined for a job that runs for all of the organization.
   */
  readonly partyOf?: (payload: P) => string | undefined;
}

/** Declares a kind of job. Payloads must be JSON. Jobs that call remote servers belong in another queue. */
export function defineJob<P, K>(
  kind: string,
  run: (payload: P, job: JobContext<K>) => Promise<void>,
  lane: Exclude<Lane, 'batch'> = 'quick',
  options: JobOptions<P> = {},
): JobKind<P, K> {
  const runAll = async (payloads: readonly P[], job: JobContext<K>) => {
    for (const payload of payloads) await run(payload, job);
  };
  return { kind, run: runAll, lane, ...options };
}

/**
 * Declares a kind of job that runs in batches, each with a single `finish`. If a batch fails, its jobs run again one by
 * one, and so do jobs that failed before.
 */
export function defineBatchJob<P, K>(
  kind: string,
  run: (payloads: readonly P[], job: JobContext<K>) => Promise<void>,
): JobKind<P, K> {
  return { kind, run, lane: 'batch' };
}
