import type { Clock } from '#kernel/clock';
import type { CommitListener, Flush, ReadTx, Store, WriteTx } from '../transactions.ts';
import { GroupCommitWriter } from './group-commit.ts';
import { sqliteDialect } from './sqlite.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { loadSqlite } from './sqlite-driver.ts';

/** The embedded store: one writing connection with group commit, and readers of their own. */
export class SqliteStore implements Store {
  readonly dialect = sqliteDialect;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #writer: GroupCommitWriter;
  readonly #single: SqliteConnection;
  readonly #idle: SqliteConnection[] = [];

  constructor(file: string, clock: Clock, readOnly = false) {
    this.#file = file;
    this.#clock = clock;
    this.#writer = new GroupCommitWriter(new SqliteConnection(file, readOnly), clock);
    this.#single = new SqliteConnection(file, true);
  }

  connectLog(flush: Flush, listener: CommitListener): void {
    this.#writer.connectLog(flush, listener);
  }

  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#writer.submit(work);
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    const { db, execute } = this.#single;
    const { versions } = this.#writer;
    return work({ db, execute, dialect: sqliteDialect, versions, now: this.#clock.now() });
  }

  async read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? new SqliteConnection(this.#file, true);
    connection.exec('begin');
    try {
      return await work(this.#readTx(connection));
    } finally {
      connection.exec('commit');
      this.#idle.push(connection);
    }
  }

  async backup(file: string): Promise<void> {
    const source = new SqliteConnection(this.#file, true);
    try {
      // A snapshot held open: without it the copy begins anew at every commit, and under load never ends.
      source.raw.exec('begin');
      source.raw.exec('select 1 from sqlite_schema');
      await loadSqlite().backup(source.raw, file);
      source.raw.exec('commit');
    } finally {
      source.close();
    }
  }

  async close(): Promise<void> {
    await this.#writer.close();
    for (const connection of [this.#single, ...this.#idle]) connection.close();
  }

  #readTx(connection: SqliteConnection): ReadTx {
    return { db: connection.db, execute: connection.execute, dialect: sqliteDialect, now: this.#clock.now() };
  }
}
