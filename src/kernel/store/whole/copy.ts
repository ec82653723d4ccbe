import { sql } from 'kysely';
import type { RawRow } from '../dialects/whole-tables.ts';
import { type Table, tables } from '../table.ts';
import { together } from '../together.ts';
import type { ReadTx, Store, WriteTx } from '../transactions.ts';
import { type Checksum, RowSum } from './checksum.ts';
import { continueAfter, liftBounds, newestIdOf, pagesOf, readyInsert } from './rows.ts';

/** Why a database is not copied. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied';
}

/** A table that was copied. */
export interface CopiedTable extends Checksum {
  readonly table: string;
}

interface CopyOptions {
  /** Called for each table after it is copied and checked. */
  readonly onTable: (copied: CopiedTable) => void;
  /** Creates what depends on copied rows; their values are in the order of the table's columns. */
  readonly derive: (tx: WriteTx, table: Table, rows: readonly RawRow[]) => Promise<void>;
}

/**
 * Copies all declared tables of a migrated database into another one that is migrated and empty, in one transaction of
 * each, so that all or nothing is copied. Each table is read back and compared. Succeeds, too, if the other database
 * has exactly these rows already, because an earlier copy was interrupted after its commit.
 */
export async function copyDatabase(from: Store, to: Store, options: CopyOptions): Promise<void> {
  await from.read(async (source) => {
    await liftBounds(source);
    await assertUnused(source, 'the database that is copied');
    await assertAllDeclared(source);
    await to.write(async (target) => {
      await liftBounds(target);
      await assertUnused(target, 'the other database');
      const isEmpty = await hasNothing(target);
      const takeIn = async () => {
        for (const table of tables()) options.onTable(await copyTable(source, target, table, options));
      };
      if (isEmpty) await withoutIndexes(target, takeIn);
      else for (const table of tables()) options.onTable(await compareTable(source, target, table));
    });
  });
  const { analyze } = to.dialect.wholeTables;
  if (analyze !== undefined) await to.query((tx) => tx.execute({ sql: analyze, parameters: [] }));
}

/** Runs `work` without the indexes that no key needs, and creates them afterwards, which is much less work. */
async function withoutIndexes(tx: WriteTx, work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await tx.dialect.wholeTables.indexes.execute(tx.db);
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx.db);
  await work();
  for (const { definition } of indexes) await sql.raw(definition).execute(tx.db);
}

async function copyTable(source: ReadTx, target: WriteTx, table: Table, { derive }: CopyOptions): Promise<CopiedTable> {
  const sent = new RowSum(hasOrder(table));
  let storing: Promise<unknown> = Promise.resolve();
  try {
    for await (const rows of pagesOf(source, table)) {
      // A page is read, summed and encoded while the one before it is stored.
      sent.add(rows);
      const insert = readyInsert(target, table, rows);
      await storing;
      storing = together([insert(), derive(target, table, rows)]);
      storing.catch(() => undefined);
    }
  } finally {
    // Nothing may continue after its transaction.
    await Promise.allSettled([storing]);
  }
  await storing;
  if (hasOrder(table)) await continueAfter(target, table, await newestIdOf(source, table));
  const stored = await sumOf(target, table);
  assertSame(table, sent.value, stored, 'its rows differ from those that were sent');
  return { table: table.name, ...stored };
}

/** Whether the rows of a table are read in the order of their IDs. */
const hasOrder = (table: Table) => table.columns['id']?.kind === 'id';

async function compareTable(source: ReadTx, target: ReadTx, table: Table): Promise<CopiedTable> {
  const stored = await sumOf(target, table);
  assertSame(table, await sumOf(source, table), stored, 'the other database is not empty, and is no copy of this one');
  return { table: table.name, ...stored };
}

async function sumOf(tx: ReadTx, table: Table): Promise<Checksum> {
  const sum = new RowSum(hasOrder(table));
  for await (const rows of pagesOf(tx, table)) sum.add(rows);
  return sum.value;
}

function assertSame(table: Table, sent: Checksum, stored: Checksum, fault: string): void {
  if (sent.rows === stored.rows && sent.sum === stored.sum) return;
  throw new NotCopied(`${fault}: ${table.name} has ${stored.rows} rows there and ${sent.rows} here`);
}

/** A server that uses the database would lose what it writes meanwhile. */
async function assertUnused(tx: ReadTx, what: string): Promise<void> {
  const { rows } = await tx.dialect.wholeTables.others.execute(tx.db);
  const others = rows[0]?.others ?? 0;
  if (others > 0) throw new NotCopied(`${what} is in use (${others} connections of Roost): stop all servers first`);
}

/** A column that no slice declares would be lost. */
async function assertAllDeclared(tx: ReadTx): Promise<void> {
  const declared = new Set(
    tables().flatMap(({ name, columns }) => Object.keys(columns).map((column) => `${name}.${column}`)),
  );
  const { rows } = await tx.dialect.wholeTables.columns.execute(tx.db);
  const unknown = rows.map((row) => `${row.table_name}.${row.column_name}`).filter((name) => !declared.has(name));
  if (unknown.length > 0)
    throw new NotCopied(`the database has columns that Roost does not know: ${unknown.join(', ')}`);
}

async function hasNothing(tx: ReadTx): Promise<boolean> {
  for (const table of tables()) for await (const rows of pagesOf(tx, table)) if (rows.length > 0) return false;
  return true;
}
