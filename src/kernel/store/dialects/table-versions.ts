import type { Version, Versions } from '../transactions.ts';

const WRITTEN = /\b(insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update|delete\s+from)\s+"?(\w+)/gi;
/** Statements that change no rows. */
const HARMLESS = /^\s*(?:select|pragma|explain|values|begin|commit|savepoint|release|rollback)\b/i;

/**
 * Milliseconds for which commits of other processes may go unnoticed, because checking takes a statement, and most
 * requests need no other.
 */
export const BLIND_MS = 20;

/** Suffix of a table's name that means only updates and deletions of its rows. */
export const CHANGED = ':changed';

/**
 * Returns the tables that a statement writes, and with `CHANGED` those where it does more than insert; `all` if
 * unknown, as for changes of the schema.
 */
export function tablesWritten(text: string): readonly string[] | 'all' {
  if (HARMLESS.test(text)) return [];
  const replaces = /\bdo\s+update\b/i.test(text);
  const tables = [...text.matchAll(WRITTEN)].flatMap(([, way = '', name = '']) => {
    const table = name.toLowerCase();
    return /^insert\s+into/i.test(way) && !replaces ? [table] : [table, table + CHANGED];
  });
  if (tables.length > 0) return tables;
  return /^\s*with\b/i.test(text) ? [] : 'all';
}

/**
 * Versions of the tables of the embedded database: own writes are recorded statement by statement, and commits of other
 * processes (such as an operator's command) are seen by `othersVersion`. Always: while a write to a table is
 * uncommitted, the table has no version; once it is committed or rolled back, the table has a new one.
 */
export class TableVersions implements Versions {
  readonly #commits = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #othersVersion: () => number;
  /** Changes of unknown tables. */
  #unknown = 0;
  #isUnknownOpen = false;
  #seen: number;
  #lookedAt = performance.now();
  /** Number of statements that may have changed something. */
  changes = 0;

  /** `othersVersion` returns a number that changes with each commit of another connection. */
  constructor(othersVersion: () => number) {
    this.#othersVersion = othersVersion;
    this.#seen = othersVersion();
  }

  /** The version of tables, which grows with each change of one of them; undefined while a change is uncommitted. */
  at(tables: readonly string[]): Version | undefined {
    if (this.#isUnknownOpen) return undefined;
    if (performance.now() - this.#lookedAt >= BLIND_MS) this.lookForOthers();
    let number = this.#unknown;
    for (const table of tables) {
      if (this.#open.has(table)) return undefined;
      number += this.#commits.get(table) ?? 0;
    }
    return { holder: this, number };
  }

  /** Checks for commits of other processes. */
  lookForOthers(): void {
    this.#lookedAt = performance.now();
    const version = this.#othersVersion();
    if (version !== this.#seen) this.#unknown++;
    this.#seen = version;
  }

  /** Records a statement of the open transaction. */
  write(tables: readonly string[] | 'all'): void {
    this.changes++;
    if (tables === 'all') this.#isUnknownOpen = true;
    else for (const table of tables) this.#open.add(table);
  }

  /** Ends the open transaction, committed or rolled back. */
  end(): void {
    for (const table of this.#open) this.#commits.set(table, (this.#commits.get(table) ?? 0) + 1);
    this.#open.clear();
    if (this.#isUnknownOpen) this.#unknown++;
    this.#isUnknownOpen = false;
  }
}
