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

/** What a query is built with: the builder, the organization of the transactions it runs in, and the kind of database. */
interface Target {
  readonly db: Kysely<Tables>;
  readonly realmId: RealmId;
  readonly dialect: Dialect;
}

type Build<A extends readonly unknown[], R, T = Target> = (of: T, ...args: A) => Compilable<R>;

/**
 * A query that is built and compiled once for each database and run with new arguments: for those that every request
 * needs, where building costs more than running. Every argument must stand in the query as a bound value or as the
 * list of `anyOf` and `anyOfText`; of a row each field does, and every call must bring the same fields.
 */
export function compiled<A extends readonly unknown[], R>(
  build: Build<A, R>,
): (tx: RealmReadTx, ...args: A) => Promise<readonly R[]> {
  const bind = binder(build);
  return async (tx, ...args) => (await tx.execute<R>(bind(tx, args))).rows;
}

/** The same for what is not of one organization, or of that of the row it inserts. */
export function compiledServerWide<A extends readonly unknown[], R>(
  build: Build<A, R, Omit<Target, 'realmId'>>,
): (tx: ReadTx, ...args: A) => Promise<readonly R[]> {
  const bind = binder(build);
  return async (tx, ...args) => (await tx.execute<R>(bind(tx, args))).rows;
}

/** The same for a write at the end of a transaction, whose answer nobody needs. */
export function compiledLast<A extends readonly unknown[]>(
  build: Build<A, unknown, Omit<Target, 'realmId'>>,
): (tx: ClosingTx, ...args: A) => Promise<void> {
  const bind = binder(build);
  return async (tx, ...args) => {
    await tx.executeLast(bind(tx, args));
  };
}

/** A query of one row at most, made of one that gives rows. */
export function firstOf<T, A extends readonly unknown[], R>(
  query: (tx: T, ...args: A) => Promise<readonly R[]>,
): (tx: T, ...args: A) => Promise<R | undefined> {
  return async (tx, ...args) => (await query(tx, ...args))[0];
}

/** The same for whole rows of a table, of which there may be many; they come in whichever form is faster. */
export function compiledRows<A extends readonly unknown[], T extends Table>(
  table: T,
  build: Build<A, SelectOf<T>>,
): (tx: RealmReadTx, ...args: A) => Promise<readonly SelectOf<T>[]> {
  // A table's columns are the names of its rows' fields.
  return compiledColumns(Object.keys(table.columns) as (keyof SelectOf<T> & string)[], build);
}

/** The same for the named columns, which are all that the query selects. */
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
    // The row type is what the statement returns, once decoded.
    return (lists.length > ROWS_AT_ONCE ? await madeInTurns(maker, lists) : maker.make(lists)) as R[];
  };
}

/** Builds a query at its first use with each database, and gives it the arguments of each call. */
function binder<A extends readonly unknown[], R>(build: Build<A, R>) {
  const known = new Map<string, CompiledQuery<R>>();
  return (tx: ReadTx & Partial<OfRealm>, args: A): Pick<CompiledQuery, 'sql' | 'parameters'> => {
    const values = [tx.realmId, ...args];
    let query = known.get(tx.dialect.name);
    if (!query) {
      // While the query is compiled each argument is only a place; the types are those of the real ones.
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
 * A statement that gives the rows of another as one JSON text: lists of values, in order. A driver that fetches value
 * by value takes longer than one text and its parser.
 */
function packing(statement: string, columns: readonly string[]): string {
  const values = columns.map((column) => `"${column}"`).join();
  return `select json_group_array(json_array(${values})) as packed from (${statement})`;
}

/** Rows that are made before others may get their turn: some 2 ms. */
const ROWS_AT_ONCE = 1000;

async function madeInTurns(maker: RowMaker, lists: readonly unknown[][]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const some of inChunks(lists, ROWS_AT_ONCE)) {
    const turn = inTurn();
    if (turn) await turn;
    rows.push(...maker.make(some));
  }
  return rows;
}

/** The lists of values in a text that such a statement gave. */
function unpacked(text: string): readonly unknown[][] {
  return JSON.parse(text) as unknown[][];
}
