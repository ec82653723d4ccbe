import type { Clock } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import type { Log } from '#kernel/log';
import type { Metrics } from '#kernel/metrics';
import type { Store, WriteTx } from '#kernel/store';
import type { JobKind, Lane } from './job.ts';
import { jobMetrics } from './measured.ts';
import { countJobs, deleteJobByKey, deleteJobsOf, insertJobs, type JobCounts, upsertJob } from './rows.ts';
import { type Ran, Worker } from './worker.ts';

/** Jobs that one worker of each lane claims at once, and how many workers there are. */
const LANES: Readonly<Record<Lane, { readonly claim: number; readonly workers: number }>> = {
  quick: { claim: 20, workers: 1 },
  // A server that does not answer keeps one worker waiting, not all the others.
  slow: { claim: 1, workers: 8 },
};

interface Options<K> {
  readonly store: Store;
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

/** Stores jobs and runs them. */
export class JobRunner<K> {
  readonly #options: Options<K>;
  readonly #ran: Ran;
  #lanes: Readonly<Record<Lane, readonly Worker<K>[]>> = { quick: [], slow: [] };

  constructor(options: Options<K>) {
    this.#options = options;
    this.#ran = jobMetrics(options.metrics, options.clock, () => this.counts());
  }

  /** Begins to run jobs; handlers are given `kit`. */
  start(kit: K): void {
    if (this.#workers().length > 0) return this.wake();
    this.#lanes = { quick: this.#hire('quick', kit), slow: this.#hire('slow', kit) };
    this.wake();
  }

  /** Stores a job with the transaction that makes it necessary. */
  async enqueue<P>(
    tx: WriteTx,
    realmId: RealmId,
    kind: JobKind<P, K>,
    payload: P,
    options: EnqueueOptions = {},
  ): Promise<void> {
    const row = {
      realm_id: realmId,
      kind: kind.kind,
      job_key: options.key ?? null,
      payload: JSON.stringify(payload),
      run_at: options.runAt ?? tx.now,
    };
    await upsertJob(tx, row, options.unlessWaiting ?? false);
    tx.afterCommit(() => this.#wakeOne(kind.lane));
  }

  /** Stores many jobs of a kind with the transaction that makes them necessary; they run at `runAt`, else now. */
  async enqueueAll<P>(
    tx: WriteTx,
    realmId: RealmId,
    { kind, lane }: JobKind<P, K>,
    payloads: readonly P[],
    { runAt = tx.now }: Pick<EnqueueOptions, 'runAt'> = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    const job = { realm_id: realmId, kind, run_at: runAt };
    await insertJobs(
      tx,
      payloads.map((payload) => ({ ...job, payload: JSON.stringify(payload) })),
    );
    tx.afterCommit(() => this.#wakeOne(lane));
  }

  /** Takes back the job of this key; false when there is none. */
  cancel<P>(tx: WriteTx, realmId: RealmId, kind: JobKind<P, K>, key: string): Promise<boolean> {
    return deleteJobByKey(tx, realmId, kind.kind, key);
  }

  /** Forgets all jobs of a realm; one that runs can not finish then. */
  forgetRealm(tx: WriteTx, realmId: RealmId): Promise<void> {
    return deleteJobsOf(tx, realmId);
  }

  /** Looks for due jobs now. */
  wake(): void {
    this.#wakeOne('quick');
    this.#wakeOne('slow');
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
    return [...this.#lanes.quick, ...this.#lanes.slow];
  }

  #hire(lane: Lane, kit: K): readonly Worker<K>[] {
    const kinds = this.#options.kinds.filter((kind) => kind.lane === lane);
    if (kinds.length === 0) return [];
    const { claim, workers } = LANES[lane];
    const onBusy = () => this.#lanes[lane].find((worker) => !worker.isBusy)?.wake();
    return Array.from(
      { length: workers },
      (_worker, index) =>
        new Worker({ ...this.#options, kit, kinds, claim, onBusy, ran: this.#ran, isWatchful: index === 0 }),
    );
  }

  /** Has one worker look for jobs: one that has nothing to do, else the first, which looks again when it is done. */
  #wakeOne(lane: Lane): void {
    const workers = this.#lanes[lane];
    (workers.find((worker) => !worker.isBusy) ?? workers[0])?.wake();
  }
}
