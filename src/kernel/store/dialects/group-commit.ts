import type { Clock } from '#kernel/clock';
import { insideTransaction, outsideTransaction } from '#kernel/scope';
import { LeftWork } from '../left-work.ts';
import type { StoreHooks } from './store-hooks.ts';
import type { Emissions, LogEntry, WriteTx } from '../transactions.ts';

/** A transaction that several writes share. */
export interface SharedTransaction {
  readonly access: Pick<WriteTx, 'db' | 'execute' | 'executeLast' | 'dialect' | 'versions' | 'transaction' | 'later'>;
  /** Marks the beginning of a write. */
  mark(): void;
  /**
   * Rolls back to the last mark because of an error; throws `Undone` if only the whole transaction can be rolled back.
   */
  undo(error: unknown): void;
  /** Announces how many writes will run; more than announced before if some arrived while it waited for its lock. */
  begin?(count: number): void;
  /** Called when all writes have run, before their deferred work. */
  beforeClosing?(): void;
}

/** How writes share a transaction of a database. */
export interface Sharing {
  /**
   * Runs the work of at least `count` writes in one transaction, and commits it, or rolls back on failure. May run the
   * work again in a way that allows marks, if it was `Undone`.
   */
  readonly transact: (work: (shared: SharedTransaction) => Promise<void>, count: number) => Promise<void>;
  /** Most writes of one commit; limits how long the first of them waits. */
  readonly most: number;
  /**
   * Determines the outcome of a failed transaction from its log entries: its error, or nothing if it was committed
   * after all.
   */
  readonly verdict: (error: unknown, entries: readonly LogEntry[]) => Promise<unknown>;
  /** The result of a failed write of so many: its error, or the value of running it again alone. */
  readonly failed: (work: Work, error: unknown, among: number) => Promise<unknown>;
}

/**
 * Thrown when the whole transaction was rolled back, because of one of its writes or a failure that no write has seen.
 */
export class Undone extends Error {}

/** The work of a write. */
export type Work = (tx: WriteTx) => Promise<unknown>;

interface Job {
  readonly work: Work;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly settle: () => void;
  readonly entries: readonly LogEntry[];
  readonly effects: readonly (() => void)[];
  readonly left: LeftWork;
}

/**
 * Runs writes one after another; those that wait at the same time share a commit. Each begins with a mark, so that a
 * failing write does not affect the others. Promises resolve when the commit is on disk.
 */
export class GroupCommitWriter {
  readonly #sharing: Sharing;
  readonly #clock: Clock;
  readonly #hooks: StoreHooks;
  readonly #queue: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(sharing: Sharing, clock: Clock, hooks: StoreHooks) {
    this.#sharing = sharing;
    this.#clock = clock;
    this.#hooks = hooks;
  }

  submit<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The cast is safe: the queue holds writes of all types, and each resolves only its own promise.
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= outsideTransaction(() => this.#drain());
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      await this.#commit();
    }
    this.#running = undefined;
  }

  /**
   * Waits for requests that have already arrived to be parsed, so that they join this commit: until a turn of the event
   * loop brings none. A turn accepts one connection only, so with a commit in each turn, many connections would wait
   * long.
   */
  async #gather(): Promise<void> {
    let known: number;
    do {
      known = this.#queue.length;
      await new Promise(setImmediate);
    } while (this.#queue.length > known && this.#queue.length < this.#sharing.most);
  }

  async #commit(): Promise<void> {
    let outcomes: Outcome[] = [];
    let jobs: readonly Job[] = [];
    const take = () => {
      if (jobs.length === 0) jobs = this.#queue.splice(0, this.#sharing.most);
    };
    try {
      await this.#sharing.transact(
        async (shared) => {
          // Includes writes that arrived while another process held the lock. None joins later, because what was read
          // for the first write must not be older than the last write.
          take();
          outcomes = [];
          shared.begin?.(jobs.length);
          const run = jobs.length > 1 ? this.#runMarked : this.#run;
          for (const job of jobs) outcomes.push(await run(shared, job, jobs.length));
          await this.#close(shared, outcomes);
        },
        Math.min(this.#queue.length, this.#sharing.most),
      );
    } catch (error) {
      // The transaction may have failed before it took its writes.
      take();
      const cause = await this.#sharing.verdict(
        error,
        outcomes.flatMap((outcome) => outcome.entries),
      );
      // Nothing was stored; each caller gets the error.
      if (cause) for (const job of jobs) this.#settleFailed(job, cause, jobs.length);
      if (cause) return;
    }
    this.#hooks.tell(outcomes.flatMap((outcome) => outcome.entries));
    for (const outcome of outcomes) {
      for (const effect of outcome.effects) effect();
      outcome.settle();
    }
  }

  readonly #runMarked = async (shared: SharedTransaction, job: Job, among: number): Promise<Outcome> => {
    shared.mark();
    try {
      return await this.#run(shared, job);
    } catch (error) {
      shared.undo(error);
      const settle = () => this.#settleFailed(job, error, among);
      return { settle, entries: [], effects: [], left: new LeftWork() };
    }
  };

  readonly #run = async (shared: SharedTransaction, job: Job): Promise<Outcome> => {
    const emitted: Emissions[number][] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const tx: WriteTx = {
      ...shared.access,
      now: this.#clock.now(),
      emit(event) {
        emitted.push([this.realmId, event]);
      },
      beforeCommit: (closing, item) => left.add(closing, item),
      afterCommit: (effect) => effects.push(effect),
      wakeWorkers: (lane) => effects.push(() => this.#hooks.wake(lane)),
    };
    const value = await insideTransaction(() => job.work(tx));
    const entries = await this.#hooks.flush(tx, emitted);
    return { settle: () => job.resolve(value), entries, effects, left };
  };

  /** Runs the deferred work of all writes once. */
  async #close(shared: SharedTransaction, outcomes: readonly Outcome[]): Promise<void> {
    shared.beforeClosing?.();
    const all = new LeftWork();
    for (const { left } of outcomes) all.take(left);
    await all.finish({ ...shared.access, now: this.#clock.now() });
  }

  #settleFailed(job: Job, error: unknown, among: number): void {
    this.#sharing.failed(job.work, error, among).then(job.resolve, job.reject);
  }
}
