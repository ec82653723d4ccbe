import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '#kernel/clock';
import { insideTransaction } from '#kernel/scope';
import { DatabaseAway } from '../away.ts';
import type { Tables } from '../index.ts';
import { LeftWork } from '../left-work.ts';
import type {
  CommitListener,
  Emissions,
  Flush,
  IsStored,
  WriteBatch,
  LogEntry,
  ReadTx,
  Store,
  Versions,
  WriteTx,
} from '../transactions.ts';
import { StoreDoors } from '../of-realm.ts';
import { WorkTaken } from '../taken.ts';
import { GroupCommitWriter, type SharedTransaction, type Sharing, Undone } from './group-commit.ts';
import { StoreHooks } from './store-hooks.ts';
import { postgresDialect } from './postgres.ts';
import { accessTo, type ClientAccess, StatementNames } from './postgres-connection.ts';
import { isConnectionError, isRefusal, isStatementError, isTableMissing } from './postgres-errors.ts';
import { type Gate, RIDE_OUT_MS } from './postgres-gate.ts';
import type { Connections } from './postgres-pool.ts';
import { PostgresMoment } from './postgres-moment.ts';
import { Stalls } from './postgres-stalls.ts';
import { inSnapshot, inTransaction, type Session, unawaited } from './postgres-transaction.ts';
import { boundTo, type Execute } from './session.ts';
import { SharedVersions } from './shared-versions.ts';

/** Number of the locks of work that runs once at a time. */
const LOCKS = 7_266_579;
/** How often a write is run again after a conflict with a concurrent one. */
const MAX_RETRIES = 8;
/** Most writes of a batch in one transaction; others wait that long for the row that the batch has locked. */
const MAX_IN_LINE = 64;
/**
 * Milliseconds before work that lost its connection is run again, doubled each time up to a short limit: if no
 * connection can be made, the gate makes the work wait; if each is lost soon, the time in between is needed for the
 * work.
 */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 50;

/** The result of a write before its commit. */
interface Written<T> {
  readonly value: T;
  readonly entries: readonly LogEntry[];
  readonly effects: readonly (() => void)[];
}

/** The store on PostgreSQL, shared by any number of processes. */
export class PostgresStore extends StoreDoors implements Store {
  readonly dialect = postgresDialect;
  readonly #clock: Clock;
  readonly #pool: pg.Pool;
  readonly #gate: Gate;
  readonly #stalls: Stalls;
  readonly #stopLooking: () => Promise<void>;
  readonly #names = new StatementNames();
  readonly #accesses = new WeakMap<pg.PoolClient, ClientAccess>();
  readonly #hooks = new StoreHooks();
  /** Runs a statement outside of transactions, on any connection. */
  readonly #execute: Execute = (statement) => this.#again(({ execute }) => execute(statement));
  readonly #db: Kysely<Tables> = boundTo(this.#execute, 'postgres');
  readonly #versions = new SharedVersions({ execute: this.#execute, isMissing: isTableMissing });
  /** A writer for each batch key that was used. */
  readonly #batches = new Map<string, GroupCommitWriter>();

  constructor({ pool, gate, stop }: Connections, clock: Clock) {
    super();
    this.#clock = clock;
    this.#pool = pool;
    this.#gate = gate;
    this.#stopLooking = stop;
    this.#stalls = new Stalls(clock, gate);
  }

  /** Any number of processes may use it. */
  claim(): Promise<void> {
    return Promise.resolve();
  }

  /** The lock belongs to a connection, which ends with its process. */
  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      const lock = [LOCKS, name];
      const {
        rows: [row],
      } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', lock);
      if (!row?.held) throw new WorkTaken(name);
      try {
        return await work();
      } finally {
        await client.query('select pg_advisory_unlock($1, hashtext($2))', lock).catch(() => undefined);
      }
    } finally {
      client.release();
    }
  }

  connectLog(flush: Flush, listener: CommitListener, isStored: IsStored): void {
    this.#hooks.connect(flush, listener, isStored);
  }

  connectJobs(wake: (lane: string) => void): void {
    this.#hooks.wake = wake;
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    let looking: Promise<void> | undefined;
    return this.queryAt(() => (looking ??= this.look()), work);
  }

  /** The same store, with cached results as new as `look` finds. */
  queryAt<T>(look: () => Promise<void> | undefined, work: (tx: ReadTx) => Promise<T>): Promise<T> {
    const versions: Versions = { look, at: (tables) => this.#versions.at(tables) };
    return work({ ...this.#readTx({ db: this.#db, execute: this.#execute }), versions });
  }

  /** Finds out what other processes have changed in cached tables; one statement for all simultaneous callers. */
  look(): Promise<void> {
    return this.#versions.look();
  }

  moment(): Store {
    return new PostgresMoment(this, this.#clock);
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#again((session) => {
      const versions = this.#versions.ofSnapshot(session.execute);
      return inSnapshot(session, () => work({ ...this.#readTx(session), versions, isSnapshot: true }));
    });
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T> {
    return batch ? this.#writeInBatch(work, batch) : this.#writeAlone(work);
  }

  async #writeAlone<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      // Recorded before the commit, which may fail without a known outcome.
      let written: Written<T> | undefined;
      try {
        await this.#again((session) =>
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

  backup(): Promise<void> {
    return Promise.reject(new Error('a PostgreSQL database is copied with its own tools (pg_dump)'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#batches.values()].map((batch) => batch.idle()));
    await this.#stalls.stop();
    this.#gate.stop();
    await this.#stopLooking();
    await this.#pool.end();
  }

  async #writeOnce<T>(session: Session, work: (tx: WriteTx) => Promise<T>): Promise<Written<T>> {
    const emitted: Emissions[number][] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const tx: WriteTx = {
      ...this.#readTx(session),
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
    return this.#untilDone(() => writer.submit(work), 1);
  }

  /** How the writes of a batch share a transaction; if it is rolled back because of one of them, each is run alone. */
  #sharing(batch: WriteBatch): Sharing {
    // The next transaction will probably need IDs of the same tables.
    let tables: readonly string[] = [];
    return {
      most: MAX_IN_LINE,
      transact: (work, count) =>
        this.#withSession((session) =>
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
    const isKnown = this.#versions.isKnown;
    versions.restart(false);
    let looking: Promise<void> | undefined;
    const locking: Execute = (statement) => {
      const answer = execute<never>(statement);
      if (!looking) {
        looking = unawaited(this.#versions.lookIn(execute));
        later.begin(count, tables);
      }
      return answer;
    };
    await batch.enter({ ...this.#readTx(session), execute: locking, transaction });
    if (!looking) later.begin(count, tables);
    await (looking ?? this.#versions.lookIn(execute));
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
      const isStored = await this.#again((session) =>
        inTransaction(session, () => this.#hooks.isStored(this.#readTx(session), last)),
      );
      return isStored ? undefined : new DatabaseAway('undone', error.cause);
    } catch {
      return error;
    }
  }

  #again<T>(use: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone(() => this.#withSession(use), 0);
  }

  /**
   * Runs work again that lost its connection before it can have had an effect, as long as a client would wait, and at
   * least `atLeast` times: a process that was suspended may have lost its connection because of that.
   */
  async #untilDone<T>(work: () => Promise<T>, atLeast: number): Promise<T> {
    const startedAt = this.#clock.monotonicMs();
    for (let again = 0; ; again++) {
      try {
        return await work();
      } catch (error) {
        const isUndone = error instanceof DatabaseAway && error.outcome === 'undone';
        const isInTime = again < atLeast || this.#clock.monotonicMs() - startedAt < RIDE_OUT_MS;
        if (!isUndone || !this.#gate.hasOpened || !isInTime) throw error;
        const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** again);
        await new Promise<void>((resolve) => {
          this.#clock.after(pauseMs, resolve);
        });
      }
    }
  }

  #readTx({ db, execute }: Pick<ClientAccess, 'db' | 'execute'>): ReadTx {
    return { db, execute, dialect: postgresDialect, now: this.#clock.now() };
  }

  async #withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
    if (this.#gate.fault) await this.#gate.pass();
    const client = await this.#connect();
    const access = this.#accessTo(client);
    this.#stalls.watch(access.watched);
    let broken = false;
    let last: Promise<unknown> | undefined;
    const release = () => {
      this.#stalls.forget(access.watched);
      client.release(broken);
    };
    try {
      const keepUntil = (answer: Promise<unknown>) => {
        last = answer;
      };
      return await use({ client, ...access, keepUntil });
    } catch (error) {
      broken = error instanceof DatabaseAway || isConnectionError(error);
      throw asAway(error);
    } finally {
      if (last) last.catch(() => (broken = true)).finally(release);
      else release();
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect();
      this.#gate.opened();
      return client;
    } catch (error) {
      // At the start, the system's own error is shown, as for every other address.
      if (!this.#gate.hasOpened && error instanceof Error && ('syscall' in error || 'errors' in error)) throw error;
      if (isConnectionError(error)) this.#gate.close(error);
      throw asAway(error);
    }
  }

  #accessTo(client: pg.PoolClient): ClientAccess {
    const known = this.#accesses.get(client);
    if (known) return known;
    const access = accessTo(client, this.#names, this.#versions);
    this.#accesses.set(client, access);
    return access;
  }
}

/** Converts an error to the one that callers get: `DatabaseAway` if the connection is the cause. */
function asAway(error: unknown): unknown {
  if (error instanceof DatabaseAway) return error;
  if (isConnectionError(error)) return new DatabaseAway('undone', error);
  return isRefusal(error) ? new DatabaseAway('refused', error) : error;
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
