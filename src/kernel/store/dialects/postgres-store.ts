import type pg from 'pg';
import type { Clock } from '#kernel/clock';
import { insideTransaction } from '#kernel/scope';
import { LeftWork } from '../left-work.ts';
import type { CommitListener, Emitted, Flush, LogEntry, ReadTx, Store, WriteTx } from '../transactions.ts';
import { postgresDialect } from './postgres.ts';
import { accessTo, type ClientAccess, StatementNames } from './postgres-connection.ts';

/** Times a write is run again after losing against a concurrent one. */
const MAX_RETRIES = 8;

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
  #flush: Flush = () => Promise.reject(new Error('events were emitted before the log was connected'));
  #listener: CommitListener = () => undefined;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#clock = clock;
    this.#pool = pool;
    // An idle client that loses its server is replaced by the pool at the next use.
    this.#pool.on('error', () => undefined);
  }

  connectLog(flush: Flush, listener: CommitListener): void {
    this.#flush = flush;
    this.#listener = listener;
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#withSession((session) => work(this.#readTx(session)));
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#withSession((session) =>
      inTransaction(session, 'begin isolation level repeatable read read only', () => work(this.#readTx(session))),
    );
  }

  async write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
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
      await left.finish(tx);
      if (emitted.length > 0) entries = await this.#flush(tx, emitted);
      return result;
    });
    if (entries.length > 0) this.#listener(entries);
    for (const effect of effects) effect();
    return value;
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
  await client.query(begin);
  try {
    const value = await work();
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function isConnectionError(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code.startsWith('08') || code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE';
}
