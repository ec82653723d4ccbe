import { backOff, type Clock, SECONDS_PER_DAY, type Timer } from '#kernel/clock';
import { invariant } from '#kernel/errors';
import type { Log } from '#kernel/log';
import { DatabaseAway, type Store, type WriteTx } from '#kernel/store';
import { type JobKind, JobRefused } from './job.ts';
import { type Batch, batchesOf } from './batches.ts';
import { joinedName, payloadsOf, separated } from './joined.ts';
import type { SetClock } from './set-clock.ts';
import type { Full, Shares } from './shares.ts';
import { claimJobs, isAnyDue, nextDue } from './claims.ts';
import { deleteGivenUpBefore } from './given-up.ts';
import { deleteJobs, extendLease, freeRenewed, releaseJob, returnJob } from './leases.ts';
import { insertJobs } from './stored.ts';
import { type JobRow, MAX_ATTEMPTS } from './tables.ts';

/** Seconds of a lease; a handler must finish or renew it within this time. */
export const LEASE_SECONDS = 120;
/** Milliseconds after which the lease of a running job is renewed. */
const KEEP_EVERY_MS = (LEASE_SECONDS * 1000) / 4;
/** Seconds for which jobs that were given up are kept and can be retried. */
const GIVEN_UP_SECONDS = 90 * SECONDS_PER_DAY;
/** Longest sleep of a worker in milliseconds, because the wake-up for another process's job may be lost. */
const MAX_SLEEP_MS = 5_000;
/** Longest sleep in milliseconds while an organization or a party has all the workers that it may have. */
const SLEEP_BESIDE_FULL_MS = 1_000;
/** First pause after a failure of the database in milliseconds; doubles each time. */
const FIRST_BACK_OFF_MS = 250;

/** The result of a run: done, to be retried or given up, claimed by another worker, or interrupted by the shutdown. */
type Outcome = 'done' | 'failed' | 'lost' | 'interrupted';
/** Called after each run, with its duration in milliseconds. */
export type Ran = (kind: string, outcome: Outcome, ms: number) => void;

/** How often a pause may start again, because another process's message does not prove that it has claimed all jobs. */
const MAX_POSTPONED = 4;

/** Options of a worker. */
export interface WorkerOptions<K> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly context: K;
  readonly kinds: readonly JobKind<never, K>[];
  readonly ran: Ran;
  readonly setClock: SetClock;
  /** How the workers of the lane are shared among organizations and parties; undefined if any of them may take all. */
  readonly shares: Shares | undefined;
  /** Jobs claimed at once, which run one after another or in batches. */
  readonly claim: number;
  /** Milliseconds for which it waits for more jobs after one was stored. */
  readonly pauseMs: number;
  /** Whether it checks for due jobs by itself; the others are only woken. */
  readonly isWatchful: boolean;
  /** Called when it has claimed jobs; `tookAll` is false if there may be more. */
  readonly onBusy: (tookAll: boolean) => void;
}

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

/** Claims due jobs and runs them one after another, or in batches. */
export class Worker<K> {
  readonly #options: WorkerOptions<K>;
  readonly #kinds: ReadonlyMap<string, JobKind<never, K>>;
  #timer: Timer | undefined;
  /** Set while it waits for more jobs. */
  #pause: Timer | undefined;
  /** How often the pause has started again. */
  #postponed = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  /** Consecutive failures of the database, and until when the worker pauses. */
  #failures = 0;
  #restsUntilMs = 0;
  #owed: Owed[] = [];

  constructor(options: WorkerOptions<K>) {
    this.#options = options;
    this.#kinds = new Map(options.kinds.flatMap((kind) => namesOf(kind).map((name) => [name, kind])));
  }

  get isBusy(): boolean {
    return this.#running !== undefined || this.#pause !== undefined;
  }

  /** Checks for due jobs now. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#cancelTimers();
    this.#postponed = 0;
    const restMs = this.#restsUntilMs - this.#options.clock.monotonicMs();
    if (restMs > 0) {
      this.#timer = this.#options.clock.after(restMs, () => this.wake());
      return;
    }
    this.#running = this.#drain()
      .then(() => (this.#failures = 0))
      .catch((error: unknown) => this.#backOff(error))
      .then(() => this.#sleep());
  }

  /** Checks for due jobs after one was stored: at once, or after the pause. */
  nudge(): void {
    const { clock, pauseMs } = this.#options;
    if (pauseMs === 0 || this.#running) this.wake();
    else if (!this.#stopped) this.#pause ??= clock.after(pauseMs, () => this.wake());
  }

  /** Starts the pause again, if there is one: another process has claimed all due jobs. */
  postpone(): void {
    if (!this.#pause || this.#postponed >= MAX_POSTPONED) return;
    this.#postponed++;
    this.#cancelTimers();
    this.nudge();
  }

  /** Resolves when it is idle; cuts a pause short. */
  async idle(): Promise<void> {
    while (this.isBusy) {
      if (this.#pause) this.wake();
      await this.#running;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimers();
    await this.#running;
  }

  #cancelTimers(): void {
    this.#timer?.cancel();
    this.#pause?.cancel();
    this.#pause = undefined;
  }

  /** Pauses after a failure, because an immediate retry would fail again. */
  #backOff(error: unknown): void {
    const { clock, log } = this.#options;
    log.warn({ err: error }, 'jobs could not be claimed');
    const restMs = Math.min(MAX_SLEEP_MS, FIRST_BACK_OFF_MS * 2 ** this.#failures++);
    this.#restsUntilMs = clock.monotonicMs() + restMs;
  }

  async #drain(): Promise<void> {
    const { store, claim, onBusy } = this.#options;
    const names = [...this.#kinds.keys()];
    this.#again = false;
    await this.#options.setClock.follow();
    await this.#giveBack();
    for (;;) {
      // Checked without a lock first, so that an idle server writes nothing.
      const isDue = await store.query((tx) => isAnyDue(tx, names, this.#full()));
      if (!isDue || this.#stopped) return;
      const { jobs, release } = await this.#claim(names);
      if (jobs.length === 0) return;
      onBusy(jobs.length < claim);
      await this.#runAll(batchesOf(jobs, this.#kinds)).finally(release);
      if (jobs.length < claim) return;
    }
  }

  /** Those that may not have a further worker of the lane; undefined if nobody shares it. */
  #full(): Full | undefined {
    return this.#options.shares?.full();
  }

  /** Claims jobs; `release` ends what their organizations hold of the lane. */
  async #claim(names: readonly string[]) {
    const { store, claim, shares } = this.#options;
    const take = async () => {
      const full = this.#full();
      const wanted = { limit: claim, seconds: LEASE_SECONDS, ...(full && { full }) };
      const jobs = await store.write((tx) => claimJobs(tx, names, wanted));
      return { jobs, release: shares?.hold(jobs) };
    };
    return shares ? shares.inTurn(take) : take();
  }

  async #runAll(batches: readonly Batch[]): Promise<void> {
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
  async #giveBack(): Promise<void> {
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
    const kind = this.#kinds.get(job.kind);
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
    if (await this.#options.store.write((tx) => freeRenewed(tx, jobs))) this.#again = true;
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
    if (isOurs) this.#again = true;
  }

  #warnOfBatch(rows: readonly JobRow[], error: unknown): void {
    const jobs = rows.flatMap(payloadsOf).length;
    const report = { err: error, job: rows[0] && this.#kinds.get(rows[0].kind)?.kind, jobs };
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
      if (this.#stopped) throw new JobInterrupted('the server stops');
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
    await this.#giveBack();
  }

  async #sleep(): Promise<void> {
    const { store, clock, isWatchful } = this.#options;
    const names = [...this.#kinds.keys()];
    const restMs = this.#restsUntilMs - clock.monotonicMs();
    if (restMs > 0) {
      this.#running = undefined;
      if (!this.#stopped) this.#timer = clock.after(restMs, () => this.wake());
      return;
    }
    // Those that must wait have jobs that are due, which do not tell when the others' are.
    const { realms, parties } = this.#full() ?? { realms: [], parties: [] };
    const longestMs = realms.length + parties.length > 0 ? SLEEP_BESIDE_FULL_MS : MAX_SLEEP_MS;
    const asks = isWatchful && longestMs === MAX_SLEEP_MS;
    const due = asks ? await store.query((tx) => nextDue(tx, names)).catch(() => undefined) : undefined;
    const wait = due === undefined ? longestMs : Math.max(0, due * 1000 - clock.nowMs());
    this.#running = undefined;
    if (this.#stopped) return;
    if (this.#again || wait === 0) this.nudge();
    else if (isWatchful) this.#timer = clock.after(Math.min(longestMs, wait), () => this.wake());
  }
}

/** The kinds under which jobs are stored. */
function namesOf<K>({ kind, lane }: JobKind<never, K>): readonly string[] {
  return lane === 'batch' ? [kind, joinedName(kind)] : [kind];
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof JobLost) return 'lost';
  return error instanceof JobInterrupted ? 'interrupted' : 'failed';
}
