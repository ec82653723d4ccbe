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

/** What was read at one version of tables is right at the same one of the same holder, and at no other. */
export interface Version {
  readonly holder: object;
  readonly number: number;
  /**
   * For a snapshot: only what was cached before it, by `cachedAnswers`, is right in it. What is read outside of one may be newer
   * than the version under which it is cached, as long as nobody has looked again.
   */
  readonly before?: number;
}

/** Versions of tables: what was read at one is right for as long as it lasts. */
export interface Versions {
  /**
   * Finds out what others have changed, where one has to ask for it; to be called before what is cached is used. Nothing where
   * that is known.
   */
  readonly look?: () => Promise<void> | undefined;
  /** Undefined while a change of one of the tables is not committed, and where nobody counts its changes. */
  at(tables: readonly string[]): Version | undefined;
}

/** A transaction that can only select. */
export interface ReadTx {
  readonly db: ReadDb;
  /** Runs a compiled statement past the builder; for `compiled`, and for plans that depend on the parameters. */
  readonly execute: Execute;
  readonly dialect: Dialect;
  /** Tells whether tables have changed; absent where that cannot be known. For `cachedQuery`. */
  readonly versions?: Versions;
  /** Set where everything is read as of one moment. */
  readonly isSnapshot?: true;
  /** Seconds since 1970 when the transaction began; fixed for its length. */
  readonly now: number;
  /** The transaction that this is one of, where it acts for somebody else: what was read once for one is so for both. */
  readonly root?: ReadTx;
}

/** Who or what an act is about. */
export interface Target {
  /** As in `user`, `channel` or `setting`. */
  readonly kind: string;
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

/** An act as the audit log keeps it, without who did it and when. No secrets. See protocol/organizations#audit-log. */
export interface Act {
  /** What was done, as in `user.role`. */
  readonly action: string;
  readonly target?: Target | undefined;
  /** What was so before, and what is so now; as JSON. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** On whose behalf something is written, and by what way it came. */
export interface Cause {
  readonly kind: 'person' | 'bot' | 'command' | 'server' | 'nobody';
  readonly userId: UserId | null;
  /** Name of the operation, path of the page, or the command. */
  readonly via: string;
  readonly address: string;
  readonly userAgent: string;
  /** What its writes have done so far: whether they told anybody, and whether they left an entry. */
  readonly trace: { emitted: boolean; recorded: boolean };
}

/** An event as an action emits it; the events room knows what is inside. */
export interface Emitted {
  readonly realm_id: number;
  /** What the audit log says of the change, where it is one of those that it keeps. */
  readonly act?: Act | undefined;
}

/** An emitted event once it has its place in the log. */
export interface LogEntry {
  readonly realm_id: number;
  readonly id: number;
}

/** The end of a transaction, or of several that share a commit: rows can be changed, and nothing else. */
export interface ClosingTx extends ReadTx {
  readonly db: Kysely<Tables>;
  /** Runs a compiled statement whose answer nobody needs, as one of the last: the commit goes out behind it, and fails with it. */
  readonly executeLast: Execute;
}

/** Does once what many writes have left to be done, each an item, in the order they were left. */
export type Closing<T> = (tx: ClosingTx, items: readonly T[]) => Promise<void>;

/**
 * Writes that would wait for each other anyway, because they lock the same row: where transactions run side by side, those
 * that wait share one, as all do where they do not. Cached queries answer the same to all of them.
 */
export interface WriteBatch {
  /** The same for all writes of the batch. */
  readonly key: string;
  /** Takes the lock, as the first thing in the transaction. */
  enter(tx: ReadTx & Pick<WriteTx, 'transaction'>): Promise<unknown>;
}

/** Rows whose IDs are known before they are stored, so that those of many writes can be stored by one statement. */
export interface Later {
  /** The next ID of a table; those of one transaction ascend in the order in which they are asked for. */
  newId(table: Table): Promise<number>;
  /**
   * Stores a row with those of others, all of which bring the same columns of the table, at the latest before the commit: statements of the transaction that name the
   * table find it. Of a table whose rows may be there already (`isNew` is false) those stay.
   */
  insert(table: Table, row: object, options: { readonly isNew: boolean }): void;
}

/** A transaction that can also change rows and emit events. */
export interface WriteTx extends ClosingTx {
  /** Stands for the transaction: the same for all writes that share it, and for no other. */
  readonly transaction: object;
  /** Where the write shares its transaction with others on a server that is asked over a connection; else a row is inserted at once. */
  readonly later?: Later;
  /** Why something is written, as the audit log knows it; undefined for the server itself. */
  readonly cause?: Cause;
  /** What entries of the audit log are sealed with; undefined where there is no server. */
  readonly auditKey?: string;
  /** Announces a change; stored with the change, released when the transaction commits. */
  emit(event: Emitted): void;
  /**
   * Leaves an item to be done before the commit, at once with those of other writes that share it; for what nobody reads
   * in a transaction and costs less for many. It must not fail because of its items: all of the writes would.
   */
  readonly beforeCommit: <T>(closing: Closing<T>, item: T) => void;
  /** Runs `effect` after the commit, in this process only. Work that must not be lost is a job row instead. */
  afterCommit(effect: () => void): void;
}

/** What a transaction of one organization carries. */
export interface OfRealm {
  readonly realmId: RealmId;
}

/** An organization; the auth room knows what else it is. */
export interface Realm {
  readonly id: RealmId;
}

/** What a transaction carries that was opened by one who has read the organization. */
export interface InRealm<R extends Realm> extends OfRealm {
  readonly realm: R;
}

/** Who acts in an organization; the auth room knows what else they are. */
export interface Acting {
  readonly realm: Realm;
}

/** What a transaction opened for a request carries: the caller, null for a spectator, and their organization. */
export interface Caller<A extends Acting | null> extends InRealm<NonNullable<A>['realm']> {
  readonly actor: A;
}

/** A transaction that can only select, of one organization. */
export interface RealmReadTx extends ReadTx, OfRealm {}

/** A transaction that can also change rows and emit events, of one organization. */
export interface RealmWriteTx extends WriteTx, OfRealm {}

/** The part of a store that reads, with transactions that carry what `C` says. */
export interface ReaderOf<C extends OfRealm> extends OfRealm {
  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (tx: ReadTx & C) => Promise<T>): Promise<T>;
  /** Runs a single select without a snapshot. */
  query<T>(work: (tx: ReadTx & C) => Promise<T>): Promise<T>;
}

/** The database, with transactions that carry what `C` says. */
export interface StoreOf<C extends OfRealm> extends ReaderOf<C> {
  /** Runs `work` in one transaction, as `Store` does. */
  write<T>(work: (tx: WriteTx & C) => Promise<T>, batch?: WriteBatch): Promise<T>;
}

/** The ways from the whole server to one organization, of what reads. */
export interface ReadDoors {
  /** For callers that have the organization's ID only. */
  of(realmId: RealmId): ReaderOf<OfRealm>;
  /** For callers that have read the organization. */
  in<R extends Realm>(realm: R): ReaderOf<InRealm<R>>;
  /** For a request of somebody. */
  as<A extends Acting>(actor: A): ReaderOf<Caller<A>>;
  /** For a request that may be a spectator's; the actor is null then. */
  asCaller<A extends Acting>(realm: A['realm'], actor: A | null): ReaderOf<Caller<A | null>>;
}

/** Stores what a transaction emitted, as its last step. */
export type Flush = (tx: WriteTx, emitted: readonly Emitted[]) => Promise<readonly LogEntry[]>;
/** Hears, in commit order within this process, what has been committed. */
export type CommitListener = (entries: readonly LogEntry[]) => void;

/** Tells, in a transaction of its own, whether an entry has been committed; waits for transactions that may commit it. */
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
   * Runs `work` in one transaction and resolves after its commit has reached the disk. It may be run twice: where a write
   * that shares its transaction fails after it has written, and where it loses against another transaction.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T>;
  /**
   * The same store for one request that begins now: its single selects look once for what other processes have changed
   * that they had cached, not each of them.
   */
  moment(): Store;
  /**
   * Says that this process serves the database, for as long as the store is open; `DatabaseTaken` where another one does
   * and only one may. Commands that run beside the server do without.
   */
  claim(): Promise<void>;
  /** Copies the whole embedded database, as of one moment, into a new file while the server runs. */
  backup(file: string): Promise<void>;
  /** Connects the event log: what flushes emitted events, what is told of commits, and what knows the outcome of one. */
  connectLog(flush: Flush, listener: CommitListener, isStored: IsStored): void;
  close(): Promise<void>;
}
