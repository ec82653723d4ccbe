import type { RawBuilder } from 'kysely';
import type { RawRow, ScannedRow } from '../dialects/whole-tables.ts';
import type { Table } from '../table.ts';
import type { ClosingTx, OfRealm, ReadTx } from '../transactions.ts';

/** Rows of one page: a page of the longest messages is some megabytes. */
const PAGE = 500;

/**
 * Gives all rows of a table, or those of the transaction's organization, page by page and as of its snapshot, each made by
 * `make` of its values under the names of a scan. Tables with an `id` come in its order.
 */
export async function* scannedPages<T>(
  tx: ReadTx & Partial<OfRealm>,
  table: Table,
  make: (row: ScannedRow) => T,
): AsyncGenerator<readonly T[]> {
  const scan = tx.dialect.wholeTables.scan(table, PAGE, tx.realmId);
  if (scan.open) await run(tx, scan.open);
  try {
    for (let coming: Promise<readonly ScannedRow[]> | undefined = run(tx, scan.next(undefined)); coming; ) {
      const rows: readonly ScannedRow[] = await coming;
      // A database that is asked over a connection finds the next page while these are used.
      coming = rows.length < PAGE ? undefined : unawaited(run(tx, scan.next(rows.at(-1)?.['row_place'])));
      if (rows.length > 0) yield rows.map(make);
    }
  } finally {
    // Also when the reader has read enough. After a failure there is no transaction left that could close it.
    if (scan.close) await run(tx, scan.close).catch(() => undefined);
  }
}

/** The rows of a table as lists of their values: the same from both databases. */
export function pagesOf(tx: ReadTx, table: Table): AsyncGenerator<readonly RawRow[]> {
  const columns = Object.values(table.columns).map(({ kind }, index) => ({ kind, name: `c${index}` }));
  return scannedPages(tx, table, (row) => columns.map(({ kind, name }) => plain(row[name], kind)));
}

/** Adds rows as they are, IDs included. No rule is checked and nothing is emitted: the caller adds all that belongs to them. */
export async function insertRaw(tx: ClosingTx, table: Table, rows: readonly RawRow[]): Promise<void> {
  if (rows.length > 0) await readyInsert(tx, table, rows)();
}

/** The same, with everything written that is sent: what is left is for the database. */
export function readyInsert(tx: ClosingTx, table: Table, rows: readonly RawRow[]): () => Promise<unknown> {
  const statement = compiled(tx, tx.dialect.wholeTables.insert(table, rows));
  return () => tx.execute(statement);
}

/** The newest ID that a table has ever given out; 0 for none. */
export async function newestIdOf(tx: ReadTx, table: Table): Promise<number> {
  const rows = await run(tx, tx.dialect.wholeTables.newestId(table.name));
  return Number(rows[0]?.newest ?? 0);
}

/** IDs that a table has never given out and will not give to anybody else. */
export async function takeIds(tx: ClosingTx, table: Table, count: number): Promise<readonly number[]> {
  const rows = await run(tx, tx.dialect.wholeTables.take(table.name, count));
  return rows.map(({ id }) => Number(id));
}

/** Makes a table give out IDs above `newest` only. */
export async function continueAfter(tx: ClosingTx, table: Table, newest: number): Promise<void> {
  for (const statement of tx.dialect.wholeTables.continueAfter(table.name, newest)) await run(tx, statement);
}

/** Lets the rest of a transaction take as long as it likes; for commands that nobody waits for. */
export async function liftBounds(tx: ReadTx): Promise<void> {
  const { unbounded } = tx.dialect.wholeTables;
  if (unbounded !== undefined) await tx.execute({ sql: unbounded, parameters: [], liftsBounds: true });
}

/** Past the names of statements: a page of a cursor has the shape of its table. */
async function run<R>(tx: ReadTx, statement: RawBuilder<R>): Promise<readonly R[]> {
  return (await tx.execute<R>(compiled(tx, statement))).rows;
}

function compiled(tx: ReadTx, statement: RawBuilder<unknown>) {
  const { sql, parameters } = statement.compile({ getExecutor: () => tx.db.getExecutor() });
  return { sql, parameters, isPlannedAnew: true };
}

/** A promise that may fail before anybody waits for it. */
function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The same value from both databases. */
export function plain(value: unknown, kind: string): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'bool') return value === true || value === 1;
  return kind === 'text' || kind === 'json' ? value : Number(value);
}
