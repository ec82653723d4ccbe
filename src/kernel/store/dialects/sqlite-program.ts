import type { SqliteDatabase } from './sqlite-driver.ts';
import { CHANGED } from './table-versions.ts';

/** Bit of the fifth operand of `Insert`: it writes a row that was there (SQLite's OPFLAG_ISUPDATE). */
const IS_UPDATE = 4;
const ADDS = new Set(['Insert', 'IdxInsert']);
const REMOVES = new Set(['Delete', 'IdxDelete', 'Clear']);

/** The columns of `explain` that are read here. */
interface Step {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p5: number;
}

/** Statements that were looked at: whatever file they run on, it has the same tables. */
const proven = new Set<string>();

/**
 * Throws where a statement writes a table of the file that is not among those found in its text: what is cached of that table
 * would outlive the change. By SQLite's own program of the statement, with those of triggers and cascades; for tests and
 * development, as reading it takes longer than most statements run. Virtual tables are not in it, and nothing of them is cached.
 */
export function assertWritten(database: SqliteDatabase, text: string, found: readonly string[] | 'all'): void {
  if (found === 'all' || proven.has(text)) return;
  const missing = [...writtenBy(database, text)].filter((table) => !found.includes(table));
  if (missing.length > 0)
    throw new Error(`a statement writes ${missing.join(', ')}, which its text does not show: ${text}`);
}

/** The tables that a statement writes, again with `CHANGED` where rows that were there are changed or deleted. */
function writtenBy(database: SqliteDatabase, text: string): ReadonlySet<string> {
  const tables = tablesByPage(database);
  const open = new Map<number, string>();
  const written = new Set<string>();
  for (const { opcode, p1, p2, p5 } of stepsOf(database, text)) {
    if (opcode === 'OpenWrite') open.set(p1, tables.get(p2) ?? '');
    else if (opcode.startsWith('Open')) open.delete(p1);
    // A whole table is cleared by its page.
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

/** The table that each page is the root of, itself or an index of it; not SQLite's own. */
function tablesByPage(database: SqliteDatabase): ReadonlyMap<number, string> {
  const listing = database.prepare(
    "select rootpage, tbl_name from sqlite_schema where tbl_name not like 'sqlite\\_%' escape '\\'",
  );
  listing.setReturnArrays(true);
  return new Map(listing.all().map(([page, name]) => [Number(page), String(name).toLowerCase()]));
}
