import type { RealmId, UserId } from '#kernel/ids';
import type { Kysely } from 'kysely';
import type { Dialect } from './dialects/dialect.ts';
import type { Execute } from './dialects/session.ts';
import type { Tables } from './index.ts';
import type { Table } from './table.ts';

/** The part of the query builder that cannot write. */
export type ReadDb = Pick<
  Kysely<Tables>,
  'selectFrom' | 'with' | 'withRecursive' | 'selectNoFrom' | 'executeQuery' | 'fn' | 'getExecutor'
>;

/** A version of tables. A result is valid only at the version at which it was read, with the same holder. */
export interface Version {
  readonly holder: object;
  readonly number: number;
  /**
   * For a snapshot: only results cached earlier, by `cachedAnswers`, are valid. A result read outside of a snapshot may
   * be newer than the version under which it is cached, until the next look.
   */
  readonly before?: number;
}

/** Versions of tables: a result is valid as long as the version it was read at. */
export interface Versions {
  /**
   * Looks for changes by other processes if that takes a statement; called before cached results are used. Returns
   * undefined if they are known already.
   */
  readonly look?: () => Promise<void> | undefined;
  /** Undefined while a change of one of the tables is uncommitted, or if its changes are not counted. */
  at(tables: readonly string[]): Version | undefined;
}

/** A transaction that can only select. */
export interface ReadTx {
  readonly db: ReadDb;
  /** Runs a compiled statement, bypassing the builder; for `compiled`, and for plans that depend on the parameters. */
  readonly execute: Execute;
  readonly dialect: Dialect;
  /** Tells whether tables have changed; absent if that is unknown. For `cachedQuery`. */
  readonly versions?: Versions;
  /** Set if all reads see the same moment. */
  readonly isSnapshot?: true;
  /** When the transaction began, in seconds since 1970. */
  readonly now: number;
  /** The transaction that this one was derived from to act for another actor; both share what was read once. */
  readonly root?: ReadTx;
}

/** What an audit entry is about. */
export interface Target {
  /** For example `user`, `channel` or `setting`. */
  readonly kind: string;
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

/**
 * A change in the audit log, without its author and time. Must contain no secrets. See
 * protocol/organizations#audit-log.
 */
export interface Act {
  /** For example `user.role`. */
  readonly action: string;
  readonly target?: Target | undefined;
  /** The values before and after, as JSON. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** On whose behalf something is written, and by which operation. */
export interface Cause {
  readonly kind: 'person' | 'bot' | 'command' | 'server' | 'nobody';
  readonly userId: UserId | null;
  /** Name of the operation, path of the page, or the command. */
  readonly via: string;
  readonly address: string;
  readonly userAgent: string;
  /**
   * Checks, once a write of a request has locked the log, that its caller may still make it; throws the refusal.
   * Undefined for what no account has asked for.
   */
  readonly recheck?: ((tx: RealmWriteTx) => Promise<void>) | undefined;
  /** What its writes have done: whether they emitted events, and whether they recorded audit entries. */
  readonly trace: { emitted: boolean; recorded: boolean };
}

/** An event that an action emits; the module `events` knows its content. */
export interface Emitted {
  /** Its entry in the audit log, if it gets one. */
  readonly act?: Act | undefined;
}

/** Events that a transaction has emitted, each with its organization. */
export type Emissions = readonly (readonly [realmId: RealmId, event: Emitted])[];

/** An event with its position in the log. */
export interface LogEntry {
  readonly realm_id: number;
  readonly id: number;
}

/** The end of a transaction, or of several that share a commit: can only change rows. */
export interface ClosingTx extends ReadTx {
  readonly db: Kysely<Tables>;
  /** Runs a compiled statement whose result is not needed; the commit is sent directly after it, and fails with it. */
  readonly executeLast: Execute;
}

/** Runs the deferred work of many writes once; each write adds an item, in order. */
export type Closing<T> = (tx: ClosingTx, items: readonly T[]) => Promise<void>;

/**
 * Writes that lock the same row, so would wait for each other anyway. On PostgreSQL, those that wait share a
 * transaction, as all writes do on SQLite. Cached queries have the same results for all of them.
 */
export interface WriteBatch {
  /** The same for all writes of the batch. */
  readonly key: string;
  /** Takes the lock; called first in the transaction. */
  enter(tx: ReadTx & Pick<WriteTx, 'transaction'>): Promise<unknown>;
}

/** Rows whose IDs are known before they are inserted, so that one statement can insert those of many writes. */
export interface Later {
  /** Returns the next ID of a table; those of one transaction ascend in the order of calls. */
  newId(table: Table): Promise<number>;
  /**
   * Inserts a row together with others, which must have the same columns, before the commit and before any statement of
   * the transaction that names the table. If `isNew` is false, existing rows stay unchanged.
   */
  insert(table: Table, row: object, options: { readonly isNew: boolean }): void;
}

/** A transaction that can change rows and emit events. */
export interface WriteTx extends ClosingTx {
  /** Identifies the transaction; the same for all writes that share it. */
  readonly transaction: object;
  /** Set if the write shares its transaction on a database server; if not, rows are inserted at once. */
  readonly later?: Later;
  /** The author for the audit log; undefined for the server itself. */
  readonly cause?: Cause;
  /** Key of the audit log's seals; undefined if there is no server. */
  readonly auditKey?: string;
  /** Emits an event in the transaction's organization; stored with the change, sent after the commit. */
  emit(this: OfRealm, event: Emitted): void;
  /**
   * Defers an item until before the commit, to be processed together with those of other writes that share it; for work
   * that is cheaper for many items, and whose result nobody reads in the transaction. It must not fail because of its
   * items: all writes would fail.
   */
  readonly beforeCommit: <T>(closing: Closing<T>, item: T) => void;
  /** Runs `effect` after the commit, in this process only. Work that must not be lost must be a job instead. */
  afterCommit(effect: () => void): void;
  /** Wakes the workers of a lane of jobs after the commit. */
  wakeWorkers(lane: string): void;
}

/** The members of a transaction of one organization. */
export interface OfRealm {
  readonly realmId: RealmId;
}

/** An organization; the module `auth` defines its other fields. */
export interface Realm {
  readonly id: RealmId;
}

/** The members of a transaction for which the organization's row was read. */
export interface InRealm<R extends Realm> extends OfRealm {
  readonly realm: R;
}

/** Who acts in an organization; the module `auth` defines the other fields. */
export interface Acting {
  readonly realm: Realm;
}

/** The members of a transaction for a request: the caller, who is null for a spectator, and the organization. */
export interface Caller<A extends Acting | null> extends InRealm<NonNullable<A>['realm']> {
  readonly actor: A;
}

/** A transaction of one organization that can only select. */
export interface RealmReadTx extends ReadTx, OfRealm {}

/** A transaction of one organization that can change rows and emit events. */
export interface RealmWriteTx extends WriteTx, OfRealm {}

/** The reading part of a store whose transactions have the members `C`. */
export interface ReaderOf<C extends OfRealm> extends OfRealm {
  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (tx: ReadTx & C) => Promise<T>): Promise<T>;
  /** Runs a single select without a snapshot. */
  query<T>(work: (tx: ReadTx & C) => Promise<T>): Promise<T>;
}

/** A store whose transactions have the members `C`. */
export interface StoreOf<C extends OfRealm> extends ReaderOf<C> {
  /** Runs `work` in one transaction, as `Store` does. */
  write<T>(work: (tx: WriteTx & C) => Promise<T>, batch?: WriteBatch): Promise<T>;
}

/** Opens the reading part of a store for one organization. */
export interface ReadDoors {
  /** For callers that have only the organization's ID. */
  of(realmId: RealmId): ReaderOf<OfRealm>;
  /** For callers that have read the organization. */
  in<R extends Realm>(realm: R): ReaderOf<InRealm<R>>;
  /** For a request with a caller. */
  as<A extends Acting>(actor: A): ReaderOf<Caller<A>>;
  /** For a request that may be a spectator's: the actor is null then. */
  asCaller<A extends Acting>(realm: A['realm'], actor: A | null): ReaderOf<Caller<A | null>>;
}

/** Stores what a transaction emitted, as its last step. */
export type Flush = (tx: WriteTx, emitted: Emissions) => Promise<readonly LogEntry[]>;
/** Called after each commit, in the order of commits within this process. */
export type CommitListener = (entries: readonly LogEntry[]) => void;

/** Whether an entry was committed, in a transaction of its own; waits for transactions that may still commit it. */
export type IsStored = (tx: ReadTx, entry: LogEntry) => Promise<boolean>;

/** The database. Its transactions are of the whole server, except those opened by `of`, `in`, `as` and `asCaller`. */
export interface Store extends ReadDoors {
  readonly dialect: Dialect;
  of(realmId: RealmId): StoreOf<OfRealm>;
  in<R extends Realm>(realm: R): StoreOf<InRealm<R>>;
  as<A extends Acting>(actor: A): StoreOf<Caller<A>>;
  asCaller<A extends Acting>(realm: A['realm'], actor: A | null): StoreOf<Caller<A | null>>;
  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /** Runs a single select without a snapshot. */
  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction; resolves when its commit is on disk. It may run twice: if a write that shares its
   * transaction fails after writing, or after a conflict with another transaction.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T>;
  /**
   * Returns the store for one request that begins now: it looks once for changes by other processes, instead of for
   * each single select.
   */
  moment(): Store;
  /**
   * Claims the database for this process while the store is open; throws `DatabaseTaken` if only one process may use it
   * and another has claimed it. Commands that run beside the server do not claim.
   */
  claim(): Promise<void>;
  /**
   * Runs `work` unless it, or other work under this name, is running on the same database, in whatever process; then it
   * throws `WorkTaken`. If a process ends for any reason, its work counts as ended.
   */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Copies the embedded database to a new file, as of one moment, while the server runs. */
  backup(file: string): Promise<void>;
  /** Connects the event log, which stores emitted events, is notified of commits, and knows their outcome. */
  connectLog(flush: Flush, listener: CommitListener, isStored: IsStored): void;
  /** Connects the job runner: `wake` is called with the lane of each job that was stored in this process. */
  connectJobs(wake: (lane: string) => void): void;
  close(): Promise<void>;
}
