import type { RawBuilder } from 'kysely';
import { unawaited } from '../dialects/postgres-transaction.ts';
import type { RawRow, ScannedRow } from '../dialects/whole-tables.ts';
import type { Table } from '../table.ts';
import type { ClosingTx, OfRealm, ReadTx } from '../transactions.ts';

/** Rows of one page; a page of the longest messages is some megabytes. */
const PAGE = 500;

/**
 * Yields all rows of a table, or of the transaction's organization, page by page and as of its snapshot. `make`
 * converts a row whose values have the names of a scan. Tables with an `id` are ordered by it.
 */
export async function* scannedPages<T>(
  tx: ReadTx & Partial<OfRealm>,
  table: Table,
  make: (row: ScannedRow) => T,
  size = PAGE,
): AsyncGenerator<readonly T[]> {
  const scan = tx.dialect.wholeTables.scan(table, size, tx.realmId);
  if (scan.open) await run(tx, scan.open);
  try {
    for (let coming: Promise<readonly ScannedRow[]> | undefined = run(tx, scan.next(undefined)); coming; ) {
      const rows: readonly ScannedRow[] = await coming;
      // A database server prepares the next page while this one is used.
      coming = rows.length < size ? undefined : unawaited(run(tx, scan.next(rows.at(-1)?.['row_place'])));
      if (rows.length > 0) yield rows.map(make);
    }
  } finally {
    // Also runs if the reader stops early. After a failure the transaction is over, and closing fails.
    if (scan.close) await run(tx, scan.close).catch(() => undefined);
  }
}

/** Yields the rows of a table as lists of values, the same from both databases. */
export function pagesOf(tx: ReadTx, table: Table): AsyncGenerator<readonly RawRow[]> {
  const columns = Object.values(table.columns).map(({ kind }, index) => ({ kind, name: `c${index}` }));
  return scannedPages(tx, table, (row) => columns.map(({ kind, name }) => plain(row[name], kind)));
}

/**
 * Inserts rows unchanged, IDs included. Checks nothing and emits nothing; the caller adds everything that belongs to
 * them.
 */
export async function insertRaw(tx: ClosingTx, table: Table, rows: readonly RawRow[]): Promise<void> {
  if (rows.length > 0) await readyInsert(tx, table, rows)();
}

/** The same in two steps: encodes the rows now, and inserts them when the returned function is called. */
export function readyInsert(tx: ClosingTx, table: Table, rows: readonly RawRow[]): () => Promise<unknown> {
  const statement = compiled(tx, tx.dialect.wholeTables.insert(table, rows));
  return () => tx.execute(statement);
}

/** Returns the newest ID that a table has ever given out; 0 if none. */
export async function newestIdOf(tx: ReadTx, table: Table): Promise<number> {
  const rows = await run(tx, tx.dialect.wholeTables.newestId(table.name));
  return Number(rows[0]?.newest ?? 0);
}

/** Takes unused IDs of a table, which nobody else will get. */
export async function takeIds(tx: ClosingTx, table: Table, count: number): Promise<readonly number[]> {
  const rows = await run(tx, tx.dialect.wholeTables.take(table.name, count));
  return rows.map(({ id }) => Number(id));
}

/** Makes a table give out only IDs above `newest`. */
export async function continueAfter(tx: ClosingTx, table: Table, newest: number): Promise<void> {
  for (const statement of tx.dialect.wholeTables.continueAfter(table.name, newest)) await run(tx, statement);
}

/** Lifts the time limits from the rest of a transaction; for commands. */
export async function liftBounds(tx: ReadTx): Promise<void> {
  const { unbounded } = tx.dialect.wholeTables;
  if (unbounded !== undefined) await tx.execute({ sql: unbounded, parameters: [], liftsBounds: true });
}

/** Runs a statement without a name on the server, because the columns of a page depend on its cursor. */
async function run<R>(tx: ReadTx, statement: RawBuilder<R>): Promise<readonly R[]> {
  return (await tx.execute<R>(compiled(tx, statement))).rows;
}

function compiled(tx: ReadTx, statement: RawBuilder<unknown>) {
  const { sql, parameters } = statement.compile({ getExecutor: () => tx.db.getExecutor() });
  return { sql, parameters, isPlannedAnew: true };
}

/** Converts a value to the same form from both databases. */
export function plain(value: unknown, kind: string): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'bool') return value === true || value === 1;
  return kind === 'text' || kind === 'json' ? value : Number(value);
}
