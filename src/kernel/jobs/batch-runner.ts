import { backOff, type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import { invariant } from '#kernel/errors';
import type { Log } from '#kernel/log';
import { DatabaseAway, type Store, type WriteTx } from '#kernel/store';
import { type Batch, batchesOf } from './batches.ts';
import { deleteGivenUpBefore } from './given-up.ts';
import { type JobKind, JobRefused } from './job.ts';
import { payloadsOf, separated } from './joined.ts';
import { deleteJobs, extendLease, freeRenewed, releaseJob, returnJob } from './leases.ts';
import { insertJobs } from './stored.ts';
import { type JobRow, MAX_ATTEMPTS } from './tables.ts';

/** Seconds of a lease; a handler must finish or renew it within this time. */
export const LEASE_SECONDS = 120;
/** Milliseconds after which the lease of a running job is renewed. */
const KEEP_EVERY_MS = (LEASE_SECONDS * 1000) / 4;
/** Seconds for which jobs that were given up are kept and can be retried. */
const GIVEN_UP_SECONDS = 90 * SECONDS_PER_DAY;

/** The result of a run: done, to be retried or given up, claimed by another worker, or interrupted by the shutdown. */
type Outcome = 'done' | 'failed' | 'lost' | 'interrupted';
/** Called after each run, with its duration in milliseconds. */
export type Ran = (kind: string, outcome: Outcome, ms: number) => void;

/** A claimed job that must be released as soon as the database accepts writes. */
interface Owed {
  readonly job: JobRow;
  readonly runAt: number;
  readonly failedAt: number | null;
}

/** Thrown if another process has claimed the job, or it was changed or cancelled. */
class JobLost extends Error {}

/** Thrown if the process stops before the job is done. */
class JobInterrupted extends Error {}

/** What runs need. */
export interface RunOptions<K> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly context: K;
  readonly ran: Ran;
}

interface RunnerOptions<K> extends RunOptions<K> {
  readonly kinds: ReadonlyMap<string, JobKind<never, K>>;
  /** Whether the process stops. */
  readonly isStopping: () => boolean;
  /** Called when there are due jobs again. */
  readonly onDue: () => void;
}

/** Runs claimed jobs and ends their leases: done, to be tried again, or given up. */
export class BatchRunner<K> {
  readonly #options: RunnerOptions<K>;
  #owed: Owed[] = [];

  constructor(options: RunnerOptions<K>) {
    this.#options = options;
  }

  /** Runs claimed jobs, one after another or in batches. Throws if the database fails; it then owes the others' release. */
  async runAll(jobs: readonly JobRow[]): Promise<void> {
    const batches = batchesOf(jobs, this.#options.kinds);
    for (const [index, batch] of batches.entries()) {
      try {
        await this.#run(batch);
      } catch (error) {
        // The database failed. The remaining jobs must be released, or nobody could claim them before their lease
        // expires.
        const runAt = this.#options.clock.now();
        for (const { rows } of batches.slice(index)) for (const job of rows) this.#owe({ job, runAt, failedAt: null });
        throw error;
      }
    }
  }

  #owe(owed: Owed): void {
    if (!this.#owed.some(({ job }) => job.id === owed.job.id)) this.#owed.push(owed);
  }

  /** Releases jobs that could not be released before. */
  async giveBack(): Promise<void> {
    const owed = this.#owed;
    if (owed.length === 0) return;
    await this.#options.store.write(async (tx) => {
      for (const { job, runAt, failedAt } of owed) await releaseJob(tx, job, runAt, failedAt);
      if (owed.some(({ failedAt }) => failedAt !== null)) await deleteGivenUpBefore(tx, tx.now - GIVEN_UP_SECONDS);
    });
    this.#owed = [];
  }

  /** Runs a batch. */
  async #run(batch: Batch): Promise<void> {
    const { store, ran } = this.#options;
    const { rows, payloads } = batch;
    const [job] = rows;
    invariant(job, 'a batch holds a job');
    const kind = this.#options.kinds.get(job.kind);
    invariant(kind, `job ${job.kind} was claimed without a handler`);
    const started = performance.now();
    let outcome: Outcome = 'done';
    try {
      const isFinished = await this.#handle(kind, job, batch);
      if (!isFinished && !(await store.write((tx) => deleteJobs(tx, rows)))) await this.#freeRenewed(rows);
    } catch (error) {
      if (rows.length > 1) return this.#runAlone(batch, error);
      outcome = outcomeOf(error);
      if (outcome === 'lost') await this.#freeRenewed(rows);
      if (outcome === 'interrupted') await store.write((tx) => returnJob(tx, job));
      if (outcome === 'failed' && payloads.length > 1) return this.#separate(job, error);
      if (outcome === 'failed') await this.#failed(job, error);
    }
    const ms = performance.now() - started;
    for (const _payload of payloads) ran(kind.kind, outcome, ms / payloads.length);
  }

  /** Ends the lease of jobs that were stored again while they ran. */
  async #freeRenewed(jobs: readonly JobRow[]): Promise<void> {
    if (await this.#options.store.write((tx) => freeRenewed(tx, jobs))) this.#options.onDue();
  }

  /** Runs the rows of a failed batch one by one. */
  async #runAlone({ rows }: Batch, error: unknown): Promise<void> {
    if (!(error instanceof JobLost)) this.#warnOfBatch(rows, error);
    for (const row of rows) await this.#run({ rows: [row], payloads: payloadsOf(row) });
  }

  /** Splits a row with several jobs into rows of one job, which run alone. */
  async #separate(row: JobRow, error: unknown): Promise<void> {
    this.#warnOfBatch([row], error);
    const isOurs = await this.#options.store.write(async (tx) => {
      if (!(await deleteJobs(tx, [row]))) return false;
      await insertJobs(tx, separated(row));
      return true;
    });
    if (isOurs) this.#options.onDue();
  }

  #warnOfBatch(rows: readonly JobRow[], error: unknown): void {
    const jobs = rows.flatMap(payloadsOf).length;
    const report = { err: error, job: rows[0] && this.#options.kinds.get(rows[0].kind)?.kind, jobs };
    this.#options.log.warn(report, 'a batch of jobs failed and each will be run alone');
  }

  /** Runs the handler; returns whether it has finished the jobs, too. */
  async #handle(kind: JobKind<never, K>, { realm_id, attempts }: JobRow, { rows, payloads }: Batch): Promise<boolean> {
    let isFinished = false;
    const finish = async (tx: WriteTx) => {
      if (!(await deleteJobs(tx, rows))) throw new JobLost("the job is somebody else's by now");
      isFinished = true;
    };
    const { context } = this.#options;
    const keep = this.#keeper(rows);
    // The cast is safe: enqueue() stored these payloads under the same kind.
    await kind.run(payloads as readonly never[], { context, realmId: realm_id, attempts: attempts - 1, finish, keep });
    return isFinished;
  }

  /** Returns a function that renews the lease of jobs once a quarter of it is over. */
  #keeper(jobs: readonly JobRow[]): () => Promise<void> {
    const { store, clock } = this.#options;
    let extendedAtMs = clock.monotonicMs();
    return async () => {
      if (this.#options.isStopping()) throw new JobInterrupted('the server stops');
      if (clock.monotonicMs() - extendedAtMs < KEEP_EVERY_MS) return;
      extendedAtMs = clock.monotonicMs();
      const isExtended = await store.write((tx) => extendLease(tx, jobs, LEASE_SECONDS));
      if (!isExtended) throw new JobLost("the job is somebody else's by now");
    };
  }

  async #failed(job: JobRow, error: unknown): Promise<void> {
    const { clock, log } = this.#options;
    const now = clock.now();
    if (error instanceof DatabaseAway) {
      this.#owe({ job, runAt: now, failedAt: null });
      throw error;
    }
    const isRefused = error instanceof JobRefused;
    const givenUp = isRefused || job.attempts >= MAX_ATTEMPTS;
    const report = { err: error, job: job.kind, job_id: job.id, attempts: job.attempts };
    if (isRefused) log.info({ job: job.kind, job_id: job.id }, 'a job was refused and is listed');
    else if (givenUp) log.error(report, 'a job was given up');
    else log.warn(report, 'a job failed and will be tried again');
    const runAt = now + backOff(clock, job.attempts, { first: 1, last: 3600 });
    const failedAt = givenUp ? now : null;
    this.#owe({ job, runAt, failedAt });
    await this.giveBack();
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof JobLost) return 'lost';
  return error instanceof JobInterrupted ? 'interrupted' : 'failed';
}
