import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { stayFor } from '#kernel/clock';
import type { Tables } from '../index.ts';
import { RowMaker, storable } from './codec.ts';
import { asAway, isLocked } from './sqlite-errors.ts';
import { boundTo, type Execute } from './session.ts';
import { loadSqlite, type SqliteDatabase, type SqliteStatement } from './sqlite-driver.ts';
import { assertWritten } from './sqlite-program.ts';
import { inTurn } from './sqlite-turns.ts';
import { TableVersions, tablesWritten } from './table-versions.ts';

/** Most prepared statements of one connection; clearing the cache only costs time. */
const MAX_STATEMENTS = 1000;
/** Page cache of a connection in MiB; the system caches the file's pages once for all connections. */
const CACHE_MIB = 24;

/** Milliseconds for which a transaction waits for another process that writes, and after which it asks again. */
const LOCKED_MS = 10_000;
const ASK_AGAIN_MS = 5;

interface SqliteOptions {
  readonly readOnly: boolean;
  /** Whether to check with SQLite which tables a statement writes; for tests and development. */
  readonly strict?: boolean;
  readonly cacheMib?: number;
  /** Whether its transactions are begun by `begin`. */
  readonly isWriting?: boolean;
}

interface Prepared {
  readonly statement: SqliteStatement;
  /** The decoder of its rows; undefined for a statement that returns none. */
  readonly rows: RowMaker | undefined;
  readonly written: readonly string[] | 'all';
}

/**
 * One open connection. It keeps its database and all statements reachable together, because the add-on frees a database
 * that is garbage-collected while one of its statements is alive.
 */
export class SqliteConnection {
  readonly db: Kysely<Tables>;
  readonly execute: Execute;
  readonly raw: SqliteDatabase;
  /** What this connection knows of changes; used on the writing connection. */
  readonly versions: TableVersions;
  readonly #prepared = new Map<string, Prepared>();
  readonly #strict: boolean;

  constructor(file: string, { readOnly, strict = false, cacheMib = CACHE_MIB, isWriting = false }: SqliteOptions) {
    this.#strict = strict;
    this.raw = open(file, readOnly);
    // Set explicitly: the add-on's default in WAL mode is NORMAL, which may lose commits at a power failure.
    this.raw.exec('pragma synchronous = full');
    this.raw.exec('pragma foreign_keys = on');
    // The file is not memory-mapped: a connection drops its whole map as soon as another one has written.
    this.raw.exec(`pragma cache_size = -${cacheMib * 1024}`);
    this.raw.exec('pragma temp_store = memory');
    if (isWriting) this.raw.exec('pragma busy_timeout = 0');
    this.execute = async (query) => {
      const turn = inTurn(isWriting ? 'writes' : 'reads');
      if (turn) await turn;
      return this.#execute(query);
    };
    this.db = boundTo(this.execute, 'sqlite');
    const dataVersion = this.raw.prepare('pragma data_version');
    dataVersion.setReturnArrays(true);
    this.versions = new TableVersions(() => Number(dataVersion.all()[0]?.[0]));
  }

  /** Runs a statement that returns nothing. */
  exec(text: string): void {
    try {
      this.#prepare(text).statement.run();
    } catch (error) {
      throw asAway(error);
    }
  }

  /**
   * Begins a transaction that writes. SQLite would wait for another process that writes, such as a command, by stopping
   * this one with all that it does; so it does not wait (`isWriting`), and is asked again and again.
   */
  async begin(): Promise<void> {
    const until = performance.now() + LOCKED_MS;
    for (;;)
      try {
        return void this.#prepare('begin immediate').statement.run();
      } catch (error) {
        if (!isLocked(error) || performance.now() > until) throw asAway(error);
        await stayFor(ASK_AGAIN_MS);
      }
  }

  /** Makes SQLite itself wait again for other connections, for work at the end. */
  waitForOthers(): void {
    this.raw.exec(`pragma busy_timeout = ${LOCKED_MS}`);
  }

  /** Returns the connection itself, with its page cache emptied. */
  withoutPages(): this {
    this.raw.exec('pragma shrink_memory');
    return this;
  }

  /** Drops prepared statements after a change of the schema. */
  forget(): void {
    this.#prepared.clear();
  }

  close(): void {
    this.#prepared.clear();
    this.raw.close();
  }

  #execute<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<R> {
    const { statement, rows, written } = this.#prepare(query.sql);
    if (written.length > 0) this.versions.write(written);
    const parameters = query.parameters.map(encode);
    // The cast is safe: a statement returns rows of this type once they are decoded.
    try {
      if (rows) return { rows: rows.make(statement.all(...parameters)) as R[] };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw asAway(error);
    }
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const statement = this.raw.prepare(text);
    const written = tablesWritten(text);
    if (this.#strict) assertWritten(this.raw, text, written);
    const prepared = { statement, rows: returnsRows(text) ? rowMaker(statement) : undefined, written };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

function open(file: string, readOnly: boolean): SqliteDatabase {
  const { DatabaseSync } = loadSqlite();
  try {
    const raw = new DatabaseSync(file, { readOnly, timeout: LOCKED_MS });
    if (!readOnly) raw.exec('pragma journal_mode = wal');
    return raw;
  } catch (error) {
    throw asAway(error);
  }
}

function rowMaker(statement: SqliteStatement): RowMaker {
  statement.setReturnArrays(true);
  return new RowMaker(statement.columns().map(({ name }) => name));
}

function encode(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : storable(value);
}

function returnsRows(text: string): boolean {
  if (/\breturning\b/i.test(text)) return true;
  if (/^\s*with\b/i.test(text)) return !/\b(insert into|update|delete from)\b/i.test(text);
  return /^\s*(select|pragma|explain|values)\b/i.test(text);
}
