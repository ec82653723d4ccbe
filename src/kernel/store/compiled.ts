import type { CompiledQuery, Kysely, QueryExecutorProvider } from 'kysely';
import type { RealmId } from '#kernel/ids';
import { inChunks } from './chunks.ts';
import { RowMaker } from './dialects/codec.ts';
import type { Dialect } from './dialects/dialect.ts';
import { inTurn } from './dialects/sqlite-turns.ts';
import type { Tables } from './index.ts';
import { Slot } from './slot.ts';
import type { SelectOf, Table } from './table.ts';
import type { ClosingTx, OfRealm, ReadTx, RealmReadTx } from './transactions.ts';

/** A query of the builder, or raw SQL. */
interface Compilable<R> {
  compile(db: QueryExecutorProvider): CompiledQuery<R>;
}

/** What a query is built from: the query builder, the organization of its transactions, and the database dialect. */
interface Target {
  readonly db: Kysely<Tables>;
  readonly realmId: RealmId;
  readonly dialect: Dialect;
}

type Build<A extends readonly unknown[], R, T = Target> = (of: T, ...args: A) => Compilable<R>;

/**
 * A query that is compiled once for each database and run with new arguments; for frequent queries, where building
 * costs more than running. Every argument must be in the query as a bound value or as the list of `anyOf` and
 * `anyOfText`. Of an argument that is a row, each field must, and every call must pass the same fields.
 */
export function compiled<A extends readonly unknown[], R>(
  build: Build<A, R>,
): (tx: RealmReadTx, ...args: A) => Promise<readonly R[]> {
  const bind = binder(build);
  return async (tx, ...args) => (await tx.execute<R>(bind(tx, args))).rows;
}

/** The same for statements across organizations, or whose inserted row names its organization. */
export function compiledServerWide<A extends readonly unknown[], R>(
  build: Build<A, R, Omit<Target, 'realmId'>>,
): (tx: ReadTx, ...args: A) => Promise<readonly R[]> {
  const bind = binder(build);
  return async (tx, ...args) => (await tx.execute<R>(bind(tx, args))).rows;
}

/** The same for a write at the end of a transaction whose result is not needed. */
export function compiledLast<A extends readonly unknown[]>(
  build: Build<A, unknown, Omit<Target, 'realmId'>>,
): (tx: ClosingTx, ...args: A) => Promise<void> {
  const bind = binder(build);
  return async (tx, ...args) => {
    await tx.executeLast(bind(tx, args));
  };
}

/** Turns a query for rows into one for at most one row. */
export function firstOf<T, A extends readonly unknown[], R>(
  query: (tx: T, ...args: A) => Promise<readonly R[]>,
): (tx: T, ...args: A) => Promise<R | undefined> {
  return async (tx, ...args) => (await query(tx, ...args))[0];
}

/** The same for whole rows of a table, in the encoding that is faster for many rows. */
export function compiledRows<A extends readonly unknown[], T extends Table>(
  table: T,
  build: Build<A, SelectOf<T>>,
): (tx: RealmReadTx, ...args: A) => Promise<readonly SelectOf<T>[]> {
  // A row's fields are named like the table's columns.
  return compiledColumns(Object.keys(table.columns) as (keyof SelectOf<T> & string)[], build);
}

/** The same for the named columns, which must be all that the query selects. */
export function compiledColumns<A extends readonly unknown[], R>(
  columns: readonly (keyof R & string)[],
  build: Build<A, R>,
): (tx: RealmReadTx, ...args: A) => Promise<readonly R[]> {
  const bind = binder(build);
  const maker = new RowMaker(columns);
  return async (tx, ...args) => {
    const { sql, parameters } = bind(tx, args);
    if (!tx.dialect.packsRows) return (await tx.execute<R>({ sql, parameters })).rows;
    const { rows } = await tx.execute<{ packed: string }>({ sql: packing(sql, columns), parameters });
    const lists = unpacked(rows[0]?.packed ?? '[]');
    // The cast is safe: a statement returns rows of this type once they are decoded.
    return (lists.length > ROWS_AT_ONCE ? await madeInTurns(maker, lists) : maker.make(lists)) as R[];
  };
}

/** Builds a query at its first use with each database, and binds each call's arguments. */
function binder<A extends readonly unknown[], R>(build: Build<A, R>) {
  const known = new Map<string, CompiledQuery<R>>();
  return (tx: ReadTx & Partial<OfRealm>, args: A): Pick<CompiledQuery, 'sql' | 'parameters'> => {
    const values = [tx.realmId, ...args];
    let query = known.get(tx.dialect.name);
    if (!query) {
      // While the query is compiled, each argument is a slot with the type of the real one.
      const [realmId, ...slots] = values.map(slotsFor) as unknown as [RealmId, ...A];
      const db = tx.db as Kysely<Tables>;
      query = build({ db, realmId, dialect: tx.dialect }, ...slots).compile(db);
      known.set(tx.dialect.name, query);
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? value.of(values) : value));
    return { sql: query.sql, parameters };
  };
}

function slotsFor(argument: unknown, index: number): unknown {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return new Slot(index);
  const field = (name: string) => new Slot(index, (row) => (row as Record<string, unknown>)[name]);
  return Object.fromEntries(Object.keys(argument).map((name) => [name, field(name)]));
}

/**
 * Wraps a statement so that it returns its rows as one JSON text: lists of values, in order. Fetching value by value
 * takes longer than parsing one text.
 */
function packing(statement: string, columns: readonly string[]): string {
  const values = columns.map((column) => `"${column}"`).join();
  return `select json_group_array(json_array(${values})) as packed from (${statement})`;
}

/** Rows that are decoded before yielding to other work; takes about 2 ms. */
const ROWS_AT_ONCE = 1000;

async function madeInTurns(maker: RowMaker, lists: readonly unknown[][]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const some of inChunks(lists, ROWS_AT_ONCE)) {
    const turn = inTurn('reads');
    if (turn) await turn;
    rows.push(...maker.make(some));
  }
  return rows;
}

/** Parses the lists of values in the text that `packing` selects. */
function unpacked(text: string): readonly unknown[][] {
  return JSON.parse(text) as unknown[][];
}
