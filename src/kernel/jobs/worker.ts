import type { Timer } from '#kernel/clock';
import { BatchRunner, LEASE_SECONDS, type RunOptions } from './batch-runner.ts';
import { claimJobs, isAnyDue, nextDue } from './claims.ts';
import type { JobKind } from './job.ts';
import { joinedName } from './joined.ts';
import type { SetClock } from './set-clock.ts';
import type { Full, Shares } from './shares.ts';

/** Longest sleep of a worker in milliseconds, because the wake-up for another process's job may be lost. */
const MAX_SLEEP_MS = 5_000;
/** Longest sleep in milliseconds while an organization or a party has all the workers that it may have. */
const SLEEP_BESIDE_FULL_MS = 1_000;
/** First pause after a failure of the database in milliseconds; doubles each time. */
const FIRST_BACK_OFF_MS = 250;

/** How often a pause may start again, because another process's message does not prove that it has claimed all jobs. */
const MAX_POSTPONED = 4;

/** Options of a worker. */
export interface WorkerOptions<K> extends RunOptions<K> {
  readonly kinds: readonly JobKind<never, K>[];
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

/** Claims due jobs and runs them one after another, or in batches. */
export class Worker<K> {
  readonly #options: WorkerOptions<K>;
  /** The kinds under which jobs are stored. */
  readonly #names: readonly string[];
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
  readonly #runner: BatchRunner<K>;

  constructor(options: WorkerOptions<K>) {
    this.#options = options;
    const kinds = new Map(options.kinds.flatMap((kind) => namesOf(kind).map((name) => [name, kind] as const)));
    this.#names = [...kinds.keys()];
    const isStopping = () => this.#stopped;
    this.#runner = new BatchRunner({ ...options, kinds, isStopping, onDue: () => (this.#again = true) });
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
    this.#again = false;
    await this.#options.setClock.follow();
    await this.#runner.giveBack();
    for (;;) {
      // Checked without a lock first, so that an idle server writes nothing.
      const isDue = await store.query((tx) => isAnyDue(tx, this.#names, this.#full()));
      if (!isDue || this.#stopped) return;
      const { jobs, release } = await this.#claim();
      if (jobs.length === 0) return;
      onBusy(jobs.length < claim);
      await this.#runner.runAll(jobs).finally(release);
      if (jobs.length < claim) return;
    }
  }

  /** Those that may not have a further worker of the lane; undefined if nobody shares it. */
  #full(): Full | undefined {
    return this.#options.shares?.full();
  }

  /** Claims jobs; `release` ends what their organizations hold of the lane. */
  async #claim() {
    const { store, claim, shares, setClock } = this.#options;
    const take = async () => {
      const full = this.#full();
      const wanted = { limit: claim, seconds: LEASE_SECONDS, ...(full && { full }) };
      const jobs = await store.write(async (tx) => {
        // Leases of others would seem to be over if the clock was set since the last look.
        if (!setClock.isBehind()) return claimJobs(tx, this.#names, wanted);
        this.#again = true;
        return [];
      });
      return { jobs, release: shares?.hold(jobs) };
    };
    return shares ? shares.inTurn(take) : take();
  }

  async #sleep(): Promise<void> {
    const { store, clock, isWatchful } = this.#options;
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
    const due = asks ? await store.query((tx) => nextDue(tx, this.#names)).catch(() => undefined) : undefined;
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
