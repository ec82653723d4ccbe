import type { Clock } from '#kernel/clock';
import type { CommitListener, Flush, IsStored, ReadTx, Store, WriteTx } from '../transactions.ts';
import { StoreDoors } from '../of-realm.ts';
import { WorkTaken } from '../taken.ts';
import { GroupCommitWriter, type SharedTransaction, Undone } from './group-commit.ts';
import { StoreHooks } from './store-hooks.ts';
import { sqliteDialect } from './sqlite.ts';
import { claimFile, lockBeside } from './sqlite-claim.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { turnToCommit } from './sqlite-turns.ts';

/** Most writes that share one commit. */
const MAX_BATCH = 128;
/**
 * Most connections for reads. A new one takes a millisecond and a quarter of a megabyte, which closing it gives back only
 * when garbage is collected; so they stay open, and reads beyond them wait.
 */
const MAX_READING = 24;
/** Page cache of each in MiB; the system caches the file's pages once for all. */
const READING_CACHE_MIB = 8;
/** Idle connections that keep their pages. */
const MAX_WARM = 4;

/** The embedded store: one writing connection with group commit, and separate connections for reads. */
export class SqliteStore extends StoreDoors implements Store {
  readonly dialect = sqliteDialect;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #readOnly: boolean;
  readonly #writing: SqliteConnection;
  readonly #hooks = new StoreHooks();
  readonly #writer: GroupCommitWriter;
  readonly #single: SqliteConnection;
  /** Idle connections for reads, with and without pages. */
  readonly #warm: SqliteConnection[] = [];
  readonly #cold: SqliteConnection[] = [];
  #reading = 0;
  /** Reads that wait for a connection. */
  readonly #waiting: (() => void)[] = [];
  #claim: SqliteDatabase | undefined;

  constructor(file: string, clock: Clock, { readOnly = false, strict = false } = {}) {
    super();
    this.#file = file;
    this.#clock = clock;
    this.#readOnly = readOnly;
    this.#writing = new SqliteConnection(file, { readOnly, strict, isWriting: true });
    const sharing = { transact: this.#transact, most: MAX_BATCH, verdict, failed };
    this.#writer = new GroupCommitWriter(sharing, clock, this.#hooks);
    this.#single = new SqliteConnection(file, { readOnly: true });
  }

  async claim(): Promise<void> {
    this.#claim ??= claimFile(this.#file);
  }

  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lock = lockBeside(this.#file, name);
    if (!lock) throw new WorkTaken(name);
    try {
      return await work();
    } finally {
      lock.close();
    }
  }

  connectLog(flush: Flush, listener: CommitListener, isStored: IsStored): void {
    this.#hooks.connect(flush, listener, isStored);
  }

  connectJobs(wake: (lane: string) => void): void {
    this.#hooks.wake = wake;
  }

  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#writer.submit(work);
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    const { db, execute } = this.#single;
    const { versions } = this.#writing;
    return work({ db, execute, dialect: sqliteDialect, versions, now: this.#clock.now() });
  }

  async read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    if (this.#reading === MAX_READING) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#reading++;
    try {
      return await this.#readOn(this.#warm.pop() ?? this.#cold.pop() ?? this.#openReading(), work);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reading--;
    }
  }

  #openReading(): SqliteConnection {
    return new SqliteConnection(this.#file, { readOnly: true, cacheMib: READING_CACHE_MIB });
  }

  async #readOn<T>(connection: SqliteConnection, work: (tx: ReadTx) => Promise<T>): Promise<T> {
    connection.exec('begin');
    try {
      return await work(this.#readTx(connection));
    } finally {
      connection.exec('commit');
      if (this.#warm.length < MAX_WARM) this.#warm.push(connection);
      else this.#cold.push(connection.withoutPages());
    }
  }

  /** All writes go through this process, so cached results are always valid. */
  moment(): Store {
    return this;
  }

  async backup(file: string): Promise<void> {
    const source = new SqliteConnection(this.#file, { readOnly: true });
    try {
      // Keeps a snapshot open: otherwise the copy starts again at every commit, and never ends under load.
      source.raw.exec('begin');
      source.raw.exec('select 1 from sqlite_schema');
      await loadSqlite().backup(source.raw, file);
      source.raw.exec('commit');
    } finally {
      source.close();
    }
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    for (const connection of [this.#single, ...this.#warm, ...this.#cold]) connection.close();
    if (!this.#readOnly) gatherInFile(this.#writing);
    this.#writing.close();
    this.#claim?.close();
  }

  /** Tries without savepoints first, because under one SQLite copies each page before changing it. */
  readonly #transact = async (work: (shared: SharedTransaction) => Promise<void>): Promise<void> => {
    try {
      await this.#attempt(work, withoutMarks(this.#writing));
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      await this.#attempt(work, withSavepoints(this.#writing));
    }
  };

  async #attempt(work: (shared: SharedTransaction) => Promise<void>, marks: Marks): Promise<void> {
    const connection = this.#writing;
    try {
      await connection.begin();
      const begun = performance.now();
      // Other processes cannot write from here until the commit.
      connection.versions.lookForOthers();
      const { db, execute, versions } = connection;
      const access = { db, execute, executeLast: execute, dialect: sqliteDialect, versions, transaction: {} };
      await work({ access, ...marks });
      const turn = turnToCommit(begun);
      if (turn) await turn;
      connection.exec('commit');
    } catch (error) {
      rollBack(connection);
      throw error;
    } finally {
      connection.versions.end();
    }
  }

  #readTx(connection: SqliteConnection): ReadTx {
    const { db, execute } = connection;
    return { db, execute, dialect: sqliteDialect, isSnapshot: true, now: this.#clock.now() };
  }
}

/** How a single write is rolled back. */
type Marks = Pick<SharedTransaction, 'mark' | 'undo'>;

/**
 * Marks for the usual case, in which writes succeed or are refused before they change anything: a later failure rolls
 * back all of them.
 */
function withoutMarks({ versions }: SqliteConnection): Marks {
  let changes = 0;
  return {
    mark: () => {
      changes = versions.changes;
    },
    undo: (cause) => {
      if (versions.changes > changes) throw new Undone('a write failed among others', { cause });
    },
  };
}

/** Marks for the case that one of the writes has failed. */
function withSavepoints(connection: SqliteConnection): Marks {
  let isMarked = false;
  return {
    mark: () => {
      if (isMarked) connection.exec('release job');
      connection.exec('savepoint job');
      isMarked = true;
    },
    undo: () => connection.exec('rollback to job'),
  };
}

/**
 * Copies the write-ahead log into the file, so that the file alone is the database; other connections may prevent this.
 */
function gatherInFile(connection: SqliteConnection): void {
  try {
    connection.waitForOthers();
    connection.raw.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // The log is replayed at the next start, as after a crash.
  }
}

function rollBack(connection: SqliteConnection): void {
  try {
    connection.exec('rollback');
  } catch {
    // There may be no transaction left to roll back; the original error is the one that matters.
  }
}

/** Without a network, no reply to a commit can be lost. */
function verdict(error: unknown): Promise<unknown> {
  return Promise.resolve(error);
}

/** Running it again alone would fail as well. */
function failed(_work: unknown, error: unknown): Promise<never> {
  return Promise.reject(error);
}
