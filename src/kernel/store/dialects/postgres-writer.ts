import type { Clock } from '#kernel/clock';
import { insideTransaction } from '#kernel/scope';
import { DatabaseAway } from '../away.ts';
import { LeftWork } from '../left-work.ts';
import type { Emissions, LogEntry, WriteBatch, WriteTx } from '../transactions.ts';
import { GroupCommitWriter, type SharedTransaction, type Sharing, Undone } from './group-commit.ts';
import { postgresDialect } from './postgres.ts';
import { isStatementError } from './postgres-errors.ts';
import type { PostgresSessions } from './postgres-sessions.ts';
import { inTransaction, type Session, unawaited } from './postgres-transaction.ts';
import type { Execute } from './session.ts';
import type { StoreHooks } from './store-hooks.ts';

/** How often a write is run again after a conflict with a concurrent one. */
const MAX_RETRIES = 8;
/** Most writes of a batch in one transaction; others wait that long for the row that the batch has locked. */
const MAX_IN_LINE = 64;

/** The result of a write before its commit. */
interface Written<T> {
  readonly value: T;
  readonly entries: readonly LogEntry[];
  readonly effects: readonly (() => void)[];
}

/** Commits writes on PostgreSQL: alone, or together with others of their batch. */
export class PostgresWriter {
  readonly #sessions: PostgresSessions;
  readonly #clock: Clock;
  readonly #hooks: StoreHooks;
  /** A writer for each batch key that was used. */
  readonly #batches = new Map<string, GroupCommitWriter>();

  constructor(sessions: PostgresSessions, clock: Clock, hooks: StoreHooks) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#hooks = hooks;
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T> {
    return batch ? this.#writeInBatch(work, batch) : this.#writeAlone(work);
  }

  /** Resolves when no batch has writes left. */
  async idle(): Promise<void> {
    await Promise.all([...this.#batches.values()].map((batch) => batch.idle()));
  }

  async #writeAlone<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      // Recorded before the commit, which may fail without a known outcome.
      let written: Written<T> | undefined;
      try {
        await this.#sessions.again((session) =>
          inTransaction(session, async () => {
            written = await this.#writeOnce(session, work);
          }),
        );
      } catch (error) {
        const cause = await this.#verdict(error, written?.entries ?? []);
        const isWorthIt = postgresDialect.isRetryable(cause) || (cause !== error && cause instanceof DatabaseAway);
        if (cause !== undefined && attempt < MAX_RETRIES && isWorthIt) continue;
        if (cause instanceof Error) throw cause;
        if (cause !== undefined) throw error;
      }
      if (!written) throw new Error('a write was committed that was not made');
      this.#hooks.tell(written.entries);
      for (const effect of written.effects) effect();
      return written.value;
    }
  }

  async #writeOnce<T>(session: Session, work: (tx: WriteTx) => Promise<T>): Promise<Written<T>> {
    const emitted: Emissions[number][] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const tx: WriteTx = {
      ...this.#sessions.readTx(session),
      db: session.db,
      executeLast: session.executeLast,
      transaction: {},
      emit(event) {
        emitted.push([this.realmId, event]);
      },
      beforeCommit: (closing, item) => left.add(closing, item),
      afterCommit: (effect) => effects.push(effect),
      wakeWorkers: (lane) => effects.push(() => this.#hooks.wake(lane)),
    };
    const value = await insideTransaction(() => work(tx));
    const entries = await this.#hooks.flush(tx, emitted);
    await left.finish(tx);
    return { value, entries, effects };
  }

  #writeInBatch<T>(work: (tx: WriteTx) => Promise<T>, batch: WriteBatch): Promise<T> {
    const known = this.#batches.get(batch.key);
    const writer = known ?? new GroupCommitWriter(this.#sharing(batch), this.#clock, this.#hooks);
    if (!known) this.#batches.set(batch.key, writer);
    // Writes that lost their connection together are run together again; one by one they would take many times as long.
    return this.#sessions.untilDone(() => writer.submit(work), 1);
  }

  /** How the writes of a batch share a transaction; if it is rolled back because of one of them, each is run alone. */
  #sharing(batch: WriteBatch): Sharing {
    // The next transaction will probably need IDs of the same tables.
    let tables: readonly string[] = [];
    return {
      most: MAX_IN_LINE,
      transact: (work, count) =>
        this.#sessions.with((session) =>
          inTransaction(session, async () => {
            const transaction = {};
            await this.#enter({ ...session, transaction }, batch, { count, tables });
            await work(sharedIn(session, transaction));
            tables = [...session.later.tablesOfIds];
            session.later.flush();
          }),
        ),
      verdict: (error, entries) => this.#verdict(error, entries),
      failed: (work, error, among) =>
        error instanceof Undone || postgresDialect.isRetryable(error) || (among > 1 && isStatementError(error))
          ? this.#writeAlone(work)
          : Promise.reject(error),
    };
  }

  /** Takes a batch's lock, and in the same round trip checks under it whether cached results are still valid. */
  async #enter(
    session: Session & Pick<WriteTx, 'transaction'>,
    batch: WriteBatch,
    { count, tables }: { readonly count: number; readonly tables: readonly string[] },
  ): Promise<void> {
    const { versions, execute, later, transaction } = session;
    const isKnown = this.#sessions.versions.isKnown;
    versions.restart(false);
    let looking: Promise<void> | undefined;
    const locking: Execute = (statement) => {
      const answer = execute<never>(statement);
      if (!looking) {
        looking = unawaited(this.#sessions.versions.lookIn(execute));
        later.begin(count, tables);
      }
      return answer;
    };
    await batch.enter({ ...this.#sessions.readTx(session), execute: locking, transaction });
    if (!looking) later.begin(count, tables);
    await (looking ?? this.#sessions.versions.lookIn(execute));
    versions.restart(isKnown);
  }

  /**
   * Determines the outcome of a failed transaction: its error, or undefined if it was committed after all. The reply to
   * a commit may be lost with the connection; then the log shows it, if the transaction has entries.
   */
  async #verdict(error: unknown, entries: readonly LogEntry[]): Promise<unknown> {
    const last = entries.at(-1);
    if (!(error instanceof DatabaseAway && error.outcome === 'in doubt') || !last) return error;
    try {
      const isStored = await this.#sessions.again((session) =>
        inTransaction(session, () => this.#hooks.isStored(this.#sessions.readTx(session), last)),
      );
      return isStored ? undefined : new DatabaseAway('undone', error.cause);
    } catch {
      return error;
    }
  }
}

/**
 * A transaction shared by several writes. Refused writes have usually changed nothing yet, so there are no savepoints,
 * each of which would be a statement: if there is something to roll back, all writes are.
 */
function sharedIn({ db, execute, executeLast, versions, later }: Session, transaction: object): SharedTransaction {
  let changes = 0;
  return {
    access: { db, execute, executeLast, dialect: postgresDialect, versions, transaction, later },
    mark: () => {
      changes = versions.changes;
      later.mark();
    },
    undo: (cause) => {
      if (versions.changes > changes || isStatementError(cause))
        throw new Undone('a write of a batch failed', { cause });
      later.undo();
    },
    begin: (count) => later.extend(count),
    beforeClosing: () => later.flush(),
  };
}
