import type { Bus } from '#kernel/bus';
import type { Clock } from '#kernel/clock';
import type { Log } from '#kernel/log';
import type { Metrics } from '#kernel/metrics';
import { inChunks, type RealmWriteTx, type Store } from '#kernel/store';
import type { JobKind, Lane } from './job.ts';
import { leaveToJoin } from './joined.ts';
import { jobMetrics } from './measured.ts';
import { countJobs, deleteJobByKey, deleteJobsOf, insertJobs, type JobCounts, leaveJob, upsertJob } from './rows.ts';
import { SetClock } from './set-clock.ts';
import { LEASE_SECONDS, type Ran, Worker } from './worker.ts';

/** How the jobs of a lane are run. */
interface LaneOptions {
  /** Jobs that one worker claims at once. */
  readonly claim: number;
  readonly workers: number;
  /** Milliseconds for which the first of several jobs waits for the others. */
  readonly pauseMs: number;
}

const LANES: Readonly<Record<Lane, LaneOptions>> = {
  quick: { claim: 20, workers: 1, pauseMs: 0 },
  // A server that does not answer keeps one worker waiting, not all the others.
  slow: { claim: 1, workers: 8, pauseMs: 0 },
  // Each brings many notifications at once; one that waits for a silent push service is kept for seconds.
  push: { claim: 1, workers: 16, pauseMs: 0 },
  phones: { claim: 1, workers: 8, pauseMs: 0 },
  // Too short for people to notice, and long enough that a busy server runs many jobs as one. Of these as many as keep
  // others from being served for a few milliseconds only, and no fewer than come while a batch waits for its two commits.
  batch: { claim: 150, workers: 1, pauseMs: 50 },
};

interface Options<K> {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly kinds: readonly JobKind<never, K>[];
}

interface EnqueueOptions {
  /** Seconds since 1970; now when absent. */
  readonly runAt?: number;
  /** Names a job that exists at most once per realm and kind. */
  readonly key?: string;
  /** Leaves a job of this key as it is, unless it was given up. */
  readonly unlessWaiting?: boolean;
}

/** Tells other processes that all jobs of a lane that were due have been taken. */
const TOPIC = 'jobs taken';

/** Stores jobs and runs them. */
export class JobRunner<K> {
  readonly #options: Options<K>;
  readonly #ran: Ran;
  readonly #setClock: SetClock;
  /** Tells its own word from others'. */
  readonly #name: string;
  #lanes: Readonly<Record<Lane, readonly Worker<K>[]>> = { quick: [], slow: [], push: [], phones: [], batch: [] };

  constructor(options: Options<K>) {
    this.#options = options;
    this.#setClock = new SetClock(options.store, options.clock, LEASE_SECONDS);
    this.#name = options.clock.token(8);
    this.#ran = jobMetrics(options.metrics, options.clock, () => this.counts());
  }

  /**
   * Hears which jobs other processes have taken. Those that pause for further jobs then pause anew, so that all processes
   * together run them as seldom, and as many at once, as one would. A word that is lost does no harm.
   */
  async listen(): Promise<void> {
    await this.#options.bus.subscribe(TOPIC, (text) => {
      const [name, lane] = text.split(' ');
      if (name === this.#name || !isLane(lane)) return;
      for (const worker of this.#lanes[lane]) worker.postpone();
    });
  }

  /** Begins to run jobs; handlers are given `context`. */
  start(context: K): void {
    if (this.#workers().length > 0) return this.wake();
    const hire = (lane: Lane) => this.#hire(lane, context);
    this.#lanes = {
      quick: hire('quick'),
      slow: hire('slow'),
      push: hire('push'),
      phones: hire('phones'),
      batch: hire('batch'),
    };
    this.wake();
  }

  /** Stores a job with the transaction that makes it necessary. */
  async enqueue<P>(tx: RealmWriteTx, kind: JobKind<P, K>, payload: P, options: EnqueueOptions = {}): Promise<void> {
    const { key, runAt = tx.now, unlessWaiting = false } = options;
    const row = { realm_id: tx.realmId, kind: kind.kind, payload: JSON.stringify(payload), run_at: runAt };
    if (key === undefined) (kind.lane === 'batch' ? leaveToJoin : leaveJob)(tx, row);
    else await upsertJob(tx, { ...row, job_key: key }, unlessWaiting);
    tx.afterCommit(() => oneOf(this.#lanes[kind.lane])?.nudge());
  }

  /** Stores many jobs of a kind with the transaction that makes them necessary; they run at `runAt`, else now. */
  async enqueueAll<P>(
    tx: RealmWriteTx,
    { kind, lane }: JobKind<P, K>,
    payloads: readonly P[],
    { runAt = tx.now }: Pick<EnqueueOptions, 'runAt'> = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    const job = { realm_id: tx.realmId, kind, run_at: runAt };
    // Written a part at a time, so that others get their turn between them.
    for (const some of inChunks(payloads, 200))
      await insertJobs(
        tx,
        some.map((payload) => ({ ...job, payload: JSON.stringify(payload) })),
      );
    tx.afterCommit(() => oneOf(this.#lanes[lane])?.nudge());
  }

  /** Takes back the job of this key; false when there is none. */
  cancel<P>(tx: RealmWriteTx, kind: JobKind<P, K>, key: string): Promise<boolean> {
    return deleteJobByKey(tx, kind.kind, key);
  }

  /** Forgets all jobs of a realm; one that runs can not finish then. */
  forgetRealm(tx: RealmWriteTx): Promise<void> {
    return deleteJobsOf(tx);
  }

  /** Looks for due jobs now. */
  wake(): void {
    for (const workers of Object.values(this.#lanes)) oneOf(workers)?.wake();
  }

  /** Resolves when no job is due any more; for tests and for an orderly end. */
  async idle(): Promise<void> {
    while (this.#workers().some((worker) => worker.isBusy))
      await Promise.all(this.#workers().map((worker) => worker.idle()));
  }

  counts(): Promise<JobCounts> {
    return this.#options.store.query((tx) => countJobs(tx));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers().map((worker) => worker.stop()));
  }

  #workers(): readonly Worker<K>[] {
    return Object.values(this.#lanes).flat();
  }

  #hire(lane: Lane, context: K): readonly Worker<K>[] {
    const kinds = this.#options.kinds.filter((kind) => kind.lane === lane);
    if (kinds.length === 0) return [];
    const { claim, workers, pauseMs } = LANES[lane];
    const { bus } = this.#options;
    const onBusy = (tookAll: boolean) => {
      if (tookAll && pauseMs > 0 && bus.isShared) bus.publish(TOPIC, `${this.#name} ${lane}`);
      this.#lanes[lane].find((worker) => !worker.isBusy)?.wake();
    };
    return Array.from(
      { length: workers },
      (_worker, index) =>
        new Worker({
          ...this.#options,
          setClock: this.#setClock,
          context,
          kinds,
          claim,
          pauseMs,
          onBusy,
          ran: this.#ran,
          isWatchful: index === 0,
        }),
    );
  }
}

function isLane(name: string | undefined): name is Lane {
  return name !== undefined && name in LANES;
}

/** The worker to look for a job: one that has nothing to do, else the first, which looks again when it is done. */
function oneOf<K>(workers: readonly Worker<K>[]): Worker<K> | undefined {
  return workers.find((worker) => !worker.isBusy) ?? workers[0];
}
