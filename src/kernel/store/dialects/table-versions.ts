import type { Version, Versions } from '../transactions.ts';

const WRITTEN = /\b(insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update|delete\s+from)\s+"?(\w+)/gi;
/** Statements that change no row. */
const HARMLESS = /^\s*(?:select|pragma|explain|values|begin|commit|savepoint|release|rollback)\b/i;

/** Milliseconds within which commits of other processes may not be seen. To look is a statement, and most requests need no other. */
export const BLIND_MS = 20;

/** Stands behind a table's name where rows that were there are meant: what was read of them changes with these only. */
export const CHANGED = ':changed';

/**
 * The tables that a statement writes, again with `CHANGED` where it does more than add rows; `all` where it cannot be told,
 * as for changes of the schema.
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
 * Knows whether tables of the embedded database have changed since one last looked: own writes are noted statement by
 * statement, and commits of other processes (an operator's command, say) are seen by `othersVersion`. Always: while a
 * write to a table is not committed, the table has no version; once it is, or was undone, it has a new one.
 */
export class TableVersions implements Versions {
  readonly #commits = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #othersVersion: () => number;
  /** Changes of which it is not known where they were. */
  #unknown = 0;
  #isUnknownOpen = false;
  #seen: number;
  #lookedAt = performance.now();
  /** Statements that may have changed something. */
  changes = 0;

  /** `othersVersion` tells a number that changes with each commit of another connection. */
  constructor(othersVersion: () => number) {
    this.#othersVersion = othersVersion;
    this.#seen = othersVersion();
  }

  /** Its number grows with each change of one of the tables; undefined while a change is not committed. */
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

  /** Looks for commits of other processes. */
  lookForOthers(): void {
    this.#lookedAt = performance.now();
    const version = this.#othersVersion();
    if (version !== this.#seen) this.#unknown++;
    this.#seen = version;
  }

  /** Notes a statement of the open transaction. */
  write(tables: readonly string[] | 'all'): void {
    this.changes++;
    if (tables === 'all') this.#isUnknownOpen = true;
    else for (const table of tables) this.#open.add(table);
  }

  /** The open transaction was committed, or undone. */
  end(): void {
    for (const table of this.#open) this.#commits.set(table, (this.#commits.get(table) ?? 0) + 1);
    this.#open.clear();
    if (this.#isUnknownOpen) this.#unknown++;
    this.#isUnknownOpen = false;
  }
}
