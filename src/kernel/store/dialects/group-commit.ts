import type { Clock } from '#kernel/clock';
import { insideTransaction, outsideTransaction } from '#kernel/scope';
import { LeftWork } from '../left-work.ts';
import type { CommitListener, Emitted, Flush, LogEntry, Versions, WriteTx } from '../transactions.ts';
import { sqliteDialect } from './sqlite.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Most writes that share one commit; bounds how long the first of them waits. */
const MAX_BATCH = 128;

interface Job {
  readonly work: (tx: WriteTx) => Promise<unknown>;
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
 * Runs writes one after another on one connection; those that wait together share a commit. Each has a savepoint, so
 * one that fails takes nothing with it. Nobody is answered before the commit has reached the disk.
 */
export class GroupCommitWriter {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #queue: Job[] = [];
  #flush: Flush = () => Promise.reject(new Error('events were emitted before the log was connected'));
  #listener: CommitListener = () => undefined;
  #running: Promise<void> | undefined;

  constructor(connection: SqliteConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  connectLog(flush: Flush, listener: CommitListener): void {
    this.#flush = flush;
    this.#listener = listener;
  }

  submit<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The queue holds writes of all types; each resolves only its own promise.
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= outsideTransaction(() => this.#drain());
    });
  }

  /** Which tables have changed, for readers too. */
  get versions(): Versions {
    return this.#connection.versions;
  }

  async close(): Promise<void> {
    await this.#running;
    this.#connection.close();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      await this.#commitBatch();
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
    } while (this.#queue.length > known && this.#queue.length < MAX_BATCH);
  }

  async #commitBatch(): Promise<void> {
    const outcomes: Outcome[] = [];
    const taken: Job[] = [];
    try {
      this.#connection.exec('begin immediate');
      // Until the commit nobody else writes.
      this.#connection.versions.look();
      for (let job = this.#queue.shift(); job; job = taken.length < MAX_BATCH ? this.#queue.shift() : undefined) {
        taken.push(job);
        outcomes.push(await this.#runOne(job));
      }
      await this.#close(outcomes);
      this.#connection.exec('commit');
      this.#connection.versions.end();
    } catch (error) {
      this.#abandon(taken, error);
      return;
    }
    const entries = outcomes.flatMap((outcome) => outcome.entries);
    if (entries.length > 0) this.#listener(entries);
    for (const outcome of outcomes) {
      for (const effect of outcome.effects) effect();
      outcome.settle();
    }
  }

  async #runOne(job: Job): Promise<Outcome> {
    this.#connection.exec('savepoint job');
    const emitted: Emitted[] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const { db, execute, dialect, versions, now } = this.#tx();
    const tx: WriteTx = {
      db,
      execute,
      dialect,
      versions,
      now,
      emit: (event) => emitted.push(event),
      beforeCommit: (closing, item) => left.add(closing, item),
      afterCommit: (effect) => effects.push(effect),
    };
    try {
      const value = await insideTransaction(() => job.work(tx));
      const entries = emitted.length > 0 ? await this.#flush(tx, emitted) : [];
      this.#connection.exec('release job');
      return { settle: () => job.resolve(value), entries, effects, left };
    } catch (error) {
      this.#connection.exec('rollback to job');
      this.#connection.exec('release job');
      return { settle: () => job.reject(error), entries: [], effects: [], left: new LeftWork() };
    }
  }

  /** Does once for all writes what they have left to be done. */
  async #close(outcomes: readonly Outcome[]): Promise<void> {
    const all = new LeftWork();
    for (const { left } of outcomes) all.take(left);
    await all.finish(this.#tx());
  }

  #tx() {
    const { db, execute, versions } = this.#connection;
    return { db, execute, dialect: sqliteDialect, versions, now: this.#clock.now() };
  }

  /** The whole batch failed (the disk is full, say): nobody's write happened, and each is told. */
  #abandon(jobs: readonly Job[], error: unknown): void {
    try {
      this.#connection.exec('rollback');
    } catch {
      // There is no transaction left to roll back; the error that matters is the one already in hand.
    }
    this.#connection.versions.end();
    for (const job of jobs) job.reject(error);
  }
}
