import type { SqliteDatabase } from './sqlite-driver.ts';
import { CHANGED } from './table-versions.ts';

/** Bit of the fifth operand of `Insert`: it updates an existing row (SQLite's OPFLAG_ISUPDATE). */
const IS_UPDATE = 4;
const ADDS = new Set(['Insert', 'IdxInsert']);
const REMOVES = new Set(['Delete', 'IdxDelete', 'Clear']);

/** The columns of `explain` that are used here. */
interface Step {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p5: number;
}

/** Statements that were checked; the result is the same for all files, because they have the same tables. */
const proven = new Set<string>();

/**
 * Throws if a statement writes a table that was not found in its text, because cached results of that table would not
 * be invalidated. Reads SQLite's compiled program of the statement, including triggers and cascades. For tests and
 * development, because it takes longer than most statements. Ignores virtual tables, of which nothing is cached.
 */
export function assertWritten(database: SqliteDatabase, text: string, found: readonly string[] | 'all'): void {
  if (found === 'all' || proven.has(text)) return;
  const missing = [...writtenBy(database, text)].filter((table) => !found.includes(table));
  if (missing.length > 0)
    throw new Error(`a statement writes ${missing.join(', ')}, which its text does not show: ${text}`);
  proven.add(text);
}

/**
 * Returns the tables that a statement writes, and with `CHANGED` those in which existing rows are changed or deleted.
 */
function writtenBy(database: SqliteDatabase, text: string): ReadonlySet<string> {
  const tables = tablesByPage(database);
  const open = new Map<number, string>();
  const written = new Set<string>();
  for (const { opcode, p1, p2, p5 } of stepsOf(database, text)) {
    if (opcode === 'OpenWrite') open.set(p1, tables.get(p2) ?? '');
    else if (opcode.startsWith('Open')) open.delete(p1);
    // `Clear` has the table's page.
    const table = opcode === 'Clear' ? tables.get(p1) : open.get(p1);
    if (!table) continue;
    const removes = REMOVES.has(opcode) || (opcode === 'Insert' && (p5 & IS_UPDATE) !== 0);
    if (removes || ADDS.has(opcode)) written.add(table);
    if (removes) written.add(table + CHANGED);
  }
  return written;
}

function stepsOf(database: SqliteDatabase, text: string): readonly Step[] {
  const explaining = database.prepare(`explain ${text}`);
  explaining.setReturnArrays(true);
  return explaining
    .all()
    .map(([, opcode, p1, p2, , , p5]) => ({ opcode: String(opcode), p1: Number(p1), p2: Number(p2), p5: Number(p5) }));
}

/** Maps root pages to the table that they belong to or are an index of; excludes SQLite's own tables. */
function tablesByPage(database: SqliteDatabase): ReadonlyMap<number, string> {
  const listing = database.prepare(
    "select rootpage, tbl_name from sqlite_schema where tbl_name not like 'sqlite\\_%' escape '\\'",
  );
  listing.setReturnArrays(true);
  return new Map(listing.all().map(([page, name]) => [Number(page), String(name).toLowerCase()]));
}
