import type { Bus } from '#kernel/bus';
import type { Clock } from '#kernel/clock';
import type { Log } from '#kernel/log';
import type { Metrics } from '#kernel/metrics';
import type { Store } from '#kernel/store';
import type { JobKind, Lane } from './job.ts';
import { jobMetrics } from './measured.ts';
import { countJobs, type JobCounts } from './counts.ts';
import { SetClock } from './set-clock.ts';
import { Shares } from './shares.ts';
import { LEASE_SECONDS, type Ran } from './batch-runner.ts';
import { Worker } from './worker.ts';

/** How the jobs of a lane run. */
interface LaneOptions {
  /** Jobs that a worker claims at once. */
  readonly claim: number;
  readonly workers: number;
  /** Milliseconds for which a worker waits for more jobs after the first. */
  readonly pauseMs: number;
  /** Whether organizations share the workers, so that one alone gets half of them, and a party of it a quarter. */
  readonly isShared?: boolean;
}

const LANES: Readonly<Record<Lane, LaneOptions>> = {
  quick: { claim: 20, workers: 1, pauseMs: 0 },
  // Several workers, so that a server that does not answer blocks only one.
  slow: { claim: 1, workers: 8, pauseMs: 0, isShared: true },
  // One picture is worked on at a time, for seconds; the second worker is for another organization, whose turn is next.
  pictures: { claim: 1, workers: 2, pauseMs: 0, isShared: true },
  // Minutes of the process and of the disk, so few at a time.
  exports: { claim: 1, workers: 2, pauseMs: 0, isShared: true },
  // Apart from those and from each other, so that somebody who names hosts which do not answer delays nothing else, and
  // nobody of another organization.
  previews: { claim: 1, workers: 16, pauseMs: 0, isShared: true },
  webhooks: { claim: 1, workers: 32, pauseMs: 0, isShared: true },
  // Each job has many notifications; one may wait for seconds for a push service that does not answer.
  push: { claim: 1, workers: 16, pauseMs: 0 },
  phones: { claim: 1, workers: 8, pauseMs: 0 },
  // The pause is too short for people to notice, and long enough that a busy server runs many jobs together. The batch
  // is small enough not to block other work for more than a few milliseconds, and at least as large as the number of
  // jobs that arrive during a batch's two commits.
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

/** Topic of the message that all due jobs of a lane have been claimed. */
const TOPIC = 'jobs taken';

/** Runs the jobs that transactions store. */
export class JobRunner<K> {
  readonly #options: Options<K>;
  readonly #ran: Ran;
  readonly #setClock: SetClock;
  /** Identifies this process's own messages. */
  readonly #name: string;
  #lanes: Readonly<Record<Lane, readonly Worker<K>[]>> = {
    quick: [],
    slow: [],
    pictures: [],
    exports: [],
    previews: [],
    webhooks: [],
    push: [],
    phones: [],
    batch: [],
  };

  constructor(options: Options<K>) {
    this.#options = options;
    this.#setClock = new SetClock(options.store, options.clock, LEASE_SECONDS);
    this.#name = options.clock.token(8);
    options.store.connectJobs((lane) => {
      if (isLane(lane)) oneOf(this.#lanes[lane])?.nudge();
    });
    this.#ran = jobMetrics(options.metrics, options.clock, () => this.counts());
  }

  /**
   * Follows which jobs other processes claim. Workers that wait for more jobs then start their pause again, so that all
   * processes together run as few batches as a single one would. Lost messages are harmless.
   */
  async listen(): Promise<void> {
    await this.#options.bus.subscribe(TOPIC, (text) => {
      const [name, lane] = text.split(' ');
      if (name === this.#name || !isLane(lane)) return;
      for (const worker of this.#lanes[lane]) worker.postpone();
    });
  }

  /** Starts running jobs; `context` is passed to handlers. */
  start(context: K): void {
    if (this.#workers().length > 0) return this.wake();
    const hire = (lane: Lane) => this.#hire(lane, context);
    this.#lanes = {
      quick: hire('quick'),
      slow: hire('slow'),
      pictures: hire('pictures'),
      exports: hire('exports'),
      previews: hire('previews'),
      webhooks: hire('webhooks'),
      push: hire('push'),
      phones: hire('phones'),
      batch: hire('batch'),
    };
    this.wake();
  }

  /** Checks for due jobs now. */
  wake(): void {
    for (const workers of Object.values(this.#lanes)) oneOf(workers)?.wake();
  }

  /** Resolves when no job is due; for tests and for an orderly shutdown. */
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
    const { claim, workers, pauseMs, isShared = false } = LANES[lane];
    const shares = isShared ? new Shares(workers) : undefined;
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
          shares,
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

/** Returns an idle worker, or the first one, which checks again when it is done. */
function oneOf<K>(workers: readonly Worker<K>[]): Worker<K> | undefined {
  return workers.find((worker) => !worker.isBusy) ?? workers[0];
}
