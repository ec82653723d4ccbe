import type { Clock } from '#kernel/clock';
import { insideTransaction, outsideTransaction } from '#kernel/scope';
import { LeftWork } from '../left-work.ts';
import type { LogHook } from './log-hook.ts';
import type { Emitted, LogEntry, WriteTx } from '../transactions.ts';

/** The transaction that writes share. */
export interface SharedTransaction {
  readonly access: Pick<WriteTx, 'db' | 'execute' | 'executeLast' | 'dialect' | 'versions' | 'transaction' | 'later'>;
  /** Marks where a write begins. */
  mark(): void;
  /** Takes back what was done since the last mark because of an error; `Undone` where that cannot be without the rest. */
  undo(error: unknown): void;
  /** So many writes will be made; more than were announced where some came while it waited for its lock. */
  begin?(count: number): void;
  /** All writes have been made; what they have left is done next. */
  beforeClosing?(): void;
}

/** How writes share a transaction of a database. */
export interface Sharing {
  /**
   * Runs the work of at least so many writes in one transaction: committed after it, undone when it fails. Once more where
   * it was `Undone` and can be marked so that it is not again.
   */
  readonly transact: (work: (shared: SharedTransaction) => Promise<void>, count: number) => Promise<void>;
  /** Most writes of one commit; bounds how long the first of them waits. */
  readonly most: number;
  /** What became of a transaction that failed, with these entries in it: its error, or nothing where it was committed. */
  readonly verdict: (error: unknown, entries: readonly LogEntry[]) => Promise<unknown>;
  /** What comes of a write that failed, one of so many: its error, or what it gives when it is run again by itself. */
  readonly failed: (work: Work, error: unknown, among: number) => Promise<unknown>;
}

/** A transaction was undone, because of one of the writes that shared it or of a failure that nobody was told of. */
export class Undone extends Error {}

/** What is done in a transaction. */
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
 * Runs writes one after another; those that wait together share a commit. Each begins at a mark, so one that fails takes
 * nothing with it. Nobody is answered before the commit has reached the disk.
 */
export class GroupCommitWriter {
  readonly #sharing: Sharing;
  readonly #clock: Clock;
  readonly #log: LogHook;
  readonly #queue: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(sharing: Sharing, clock: Clock, log: LogHook) {
    this.#sharing = sharing;
    this.#clock = clock;
    this.#log = log;
  }

  submit<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The queue holds writes of all types; each resolves only its own promise.
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= outsideTransaction(() => this.#drain());
    });
  }

  /** Resolves when nothing waits any more. */
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
   * Lets requests whose bytes have arrived already be parsed first, so that they join this commit: until a turn of the
   * event loop brings none. A turn accepts one connection only, so with a commit in each of them many would wait long.
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
          // Writes that came while another process had the lock are among them; none joins later: what has been read for the first
          // of them must not be older than a write itself.
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
      // The transaction may not have come so far as to ask for them.
      take();
      const cause = await this.#sharing.verdict(
        error,
        outcomes.flatMap((outcome) => outcome.entries),
      );
      // Nobody's write happened, and each is told.
      if (cause) for (const job of jobs) this.#settleFailed(job, cause, jobs.length);
      if (cause) return;
    }
    this.#log.tell(outcomes.flatMap((outcome) => outcome.entries));
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
    const emitted: Emitted[] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const tx: WriteTx = {
      ...shared.access,
      now: this.#clock.now(),
      emit: (event) => emitted.push(event),
      beforeCommit: (closing, item) => left.add(closing, item),
      afterCommit: (effect) => effects.push(effect),
    };
    const value = await insideTransaction(() => job.work(tx));
    const entries = await this.#log.flush(tx, emitted);
    return { settle: () => job.resolve(value), entries, effects, left };
  };

  /** Does once for all writes what they have left to be done. */
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
