import type pg from 'pg';
import type { Clock } from '#kernel/clock';
import { insideTransaction } from '#kernel/scope';
import { LeftWork } from '../left-work.ts';
import type { CommitListener, Emitted, Flush, Line, LogEntry, ReadTx, Store, WriteTx } from '../transactions.ts';
import { GroupCommitWriter, type SharedTransaction, type Sharing } from './group-commit.ts';
import { LogHook } from './log-hook.ts';
import { postgresDialect } from './postgres.ts';
import { accessTo, type ClientAccess, StatementNames } from './postgres-connection.ts';

/** Times a write is run again after losing against a concurrent one. */
const MAX_RETRIES = 8;
/** Most writes of a line in one transaction: so long others wait for the row that the line has locked. */
const MAX_IN_LINE = 64;

interface Session extends ClientAccess {
  readonly client: pg.PoolClient;
}

/** The store on PostgreSQL, shared by any number of processes. */
export class PostgresStore implements Store {
  readonly dialect = postgresDialect;
  readonly #clock: Clock;
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  readonly #accesses = new WeakMap<pg.PoolClient, ClientAccess>();
  readonly #log = new LogHook();
  /** Each line in which there was a write. */
  readonly #lines = new Map<string, GroupCommitWriter>();

  constructor(pool: pg.Pool, clock: Clock) {
    this.#clock = clock;
    this.#pool = pool;
    // An idle client that loses its server is replaced by the pool at the next use.
    this.#pool.on('error', () => undefined);
  }

  connectLog(flush: Flush, listener: CommitListener): void {
    this.#log.connect(flush, listener);
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#withSession((session) => work(this.#readTx(session)));
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#withSession((session) =>
      inTransaction(session, 'begin isolation level repeatable read read only', () => work(this.#readTx(session))),
    );
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, line?: Line): Promise<T> {
    return line ? this.#writeInLine(work, line) : this.#writeAlone(work);
  }

  async #writeAlone<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#withSession((session) => this.#writeOnce(session, work));
      } catch (error) {
        if (attempt >= MAX_RETRIES || !postgresDialect.isRetryable(error)) throw error;
      }
    }
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('a PostgreSQL database is copied with its own tools (pg_dump)'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines.values()].map((line) => line.idle()));
    await this.#pool.end();
  }

  async #writeOnce<T>(session: Session, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const emitted: Emitted[] = [];
    const effects: (() => void)[] = [];
    const left = new LeftWork();
    const tx: WriteTx = {
      ...this.#readTx(session),
      db: session.db,
      emit: (event) => emitted.push(event),
      beforeCommit: (closing, item) => left.add(closing, item),
      afterCommit: (effect) => effects.push(effect),
    };
    let entries: readonly LogEntry[] = [];
    const value = await inTransaction(session, 'begin', async () => {
      const result = await insideTransaction(() => work(tx));
      entries = await this.#log.flush(tx, emitted);
      await left.finish(tx);
      return result;
    });
    this.#log.tell(entries);
    for (const effect of effects) effect();
    return value;
  }

  #writeInLine<T>(work: (tx: WriteTx) => Promise<T>, line: Line): Promise<T> {
    const known = this.#lines.get(line.key);
    const writer = known ?? new GroupCommitWriter(this.#sharing(line), this.#clock, this.#log);
    if (!known) this.#lines.set(line.key, writer);
    return writer.submit(work);
  }

  /** How the writes of a line share a transaction; where it is undone because of one of them, each is run by itself. */
  #sharing(line: Line): Sharing {
    return {
      most: MAX_IN_LINE,
      transact: (work) =>
        this.#withSession((session) =>
          inTransaction(session, 'begin', async () => {
            session.versions.restart();
            await work(sharedIn(session, await line.enter(this.#readTx(session))));
          }),
        ),
      failed: (work, error, among) =>
        error instanceof Undone || postgresDialect.isRetryable(error) || (among > 1 && isStatementError(error))
          ? this.#writeAlone(work)
          : Promise.reject(error),
    };
  }

  #readTx({ db, execute }: ClientAccess): ReadTx {
    return { db, execute, dialect: postgresDialect, now: this.#clock.now() };
  }

  async #withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      return await use({ client, ...this.#accessTo(client) });
    } catch (error) {
      broken = isConnectionError(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  #accessTo(client: pg.PoolClient): ClientAccess {
    const known = this.#accesses.get(client);
    if (known) return known;
    const access = accessTo(client, this.#names);
    this.#accesses.set(client, access);
    return access;
  }
}

async function inTransaction<T>({ client }: Session, begin: string, work: () => Promise<T>): Promise<T> {
  // It goes out with the first statement.
  const begun = unawaited(client.query(begin));
  try {
    const value = await work();
    await begun;
    const { command } = await client.query('commit');
    // The server answers so, and not with an error, where a statement had failed that nobody waited for.
    if (command === 'ROLLBACK') throw new Undone('a transaction was undone at its commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A transaction was undone, because of one of the writes that shared it or of a failure that nobody was told of. */
class Undone extends Error {}

/**
 * The transaction of a session, for several writes. Who is refused has changed nothing yet, so no savepoints are set, each
 * of which would be a statement: where there is something to take back, all of the writes are.
 */
function sharedIn({ db, execute, versions }: Session, entered: unknown): SharedTransaction {
  let changes = 0;
  return {
    access: { db, execute, dialect: postgresDialect, versions, entered },
    mark: () => {
      changes = versions.changes;
    },
    undo: (cause) => {
      if (versions.changes > changes || isStatementError(cause))
        throw new Undone('a write of a line failed', { cause });
    },
  };
}

/** A promise that may fail before anybody waits for it. */
function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('08') || code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Whether the server has refused a statement, and so undone the transaction. */
function isStatementError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isConnectionError(error);
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
