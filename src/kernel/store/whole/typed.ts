import { type Selectable, sql } from 'kysely';
import type { ScannedRow } from '../dialects/whole-tables.ts';
import type { Tables } from '../index.ts';
import { inChunks } from '../chunks.ts';
import { type Table, tables } from '../table.ts';
import type { ClosingTx, RealmReadTx } from '../transactions.ts';
import { continueAfter, insertRaw, newestIdOf, plain, scannedPages, takeIds } from './rows.ts';

/** A whole row of a table. */
export type WholeRow<K extends keyof Tables> = Selectable<Tables[K]>;

/** Rows that one statement inserts. */
const CHUNK = 500;

function tableNamed(name: string): Table {
  const found = tables().find((table) => table.name === name);
  if (!found) throw new Error(`no slice declares the table ${name}`);
  return found;
}

/** Yields all rows of a realm in a table, page by page; `size` is for tables whose rows may be large. */
export async function* rowsOf<K extends keyof Tables>(
  tx: RealmReadTx,
  name: K,
  size?: number,
): AsyncGenerator<readonly WholeRow<K>[]> {
  const table = tableNamed(name);
  const columns = Object.entries(table.columns).map(([column, { kind }], index) => ({
    column,
    kind,
    name: `c${index}`,
  }));
  // Rows are copies of this object, so that all have the same shape from the start.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(({ column }) => [column, null]));
  const make = (row: ScannedRow) => {
    const whole = { ...blank };
    for (const { column, kind, name: from } of columns)
      whole[column] = kind === 'json' ? parsed(row[from]) : plain(row[from], kind);
    // The cast is safe: the values are those of the table's columns.
    return whole as WholeRow<K>;
  };
  yield* scannedPages(tx, table, make, size);
}

/** Returns all rows of a realm in a table; for tables that do not grow with its messages. */
export async function allRowsOf<K extends keyof Tables>(tx: RealmReadTx, name: K): Promise<WholeRow<K>[]> {
  const found: WholeRow<K>[] = [];
  for await (const page of rowsOf(tx, name)) found.push(...page);
  return found;
}

/** Returns the rows of a realm whose column has one of these values. */
export async function rowsWith<K extends keyof Tables>(
  tx: RealmReadTx,
  name: K,
  column: keyof Tables[K] & string,
  values: readonly number[],
): Promise<readonly WholeRow<K>[]> {
  if (values.length === 0) return [];
  const chosen = tx.dialect.anyOf(column, values);
  const { rows } = await sql<WholeRow<K>>`
    select * from ${sql.table(name)} where realm_id = ${tx.realmId} and ${chosen}
  `.execute(tx.db);
  return rows;
}

/**
 * Inserts whole rows, IDs included. Checks nothing and emits nothing; the caller adds everything that belongs to them.
 */
export async function insertWhole<K extends keyof Tables>(
  tx: ClosingTx,
  name: K,
  rows: readonly WholeRow<K>[],
): Promise<void> {
  const table = tableNamed(name);
  const columns = Object.entries(table.columns);
  for (const chunk of inChunks(rows, CHUNK))
    await insertRaw(
      tx,
      table,
      chunk.map((row) => {
        const values = row as Readonly<Record<string, unknown>>;
        return columns.map(([column, { kind }]) =>
          kind === 'json' ? asText(values[column]) : (values[column] ?? null),
        );
      }),
    );
}

export function wholeTable(name: keyof Tables): Table {
  return tableNamed(name);
}

/** Returns unused IDs of a table, which nobody else will get. */
export async function freshIds(tx: ClosingTx, name: keyof Tables, count: number): Promise<readonly number[]> {
  if (!tx.dialect.isSerial) return takeIds(tx, tableNamed(name), count);
  const newest = await newestIdOf(tx, tableNamed(name));
  await continueAfter(tx, tableNamed(name), newest + count);
  return Array.from({ length: count }, (_, index) => newest + index + 1);
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null;
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
