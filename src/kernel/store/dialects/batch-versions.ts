import type { Versions } from '../transactions.ts';
import { tablesWritten } from './table-versions.ts';

/** A lock is waited for, and what was read before may be over by then. */
const LOCKS = /\bfor update\b/i;

/** The tables of which a statement may change what was read; `all` where it cannot be told. */
export function tablesTouched(text: string): readonly string[] | 'all' {
  return LOCKS.test(text) ? 'all' : tablesWritten(text);
}

/**
 * Knows what the writes of one transaction have changed themselves. What others have committed since it began they need
 * not see: each of them might as well have come before that.
 */
export class LineVersions implements Versions {
  readonly #changes = new Map<string, number>();
  /** Changes of which it is not known where they were. */
  #unknown = 0;
  /** Statements that may have changed something. */
  changes = 0;

  of(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#changes.get(table) ?? 0), this.#unknown);
  }

  /** Notes a statement. */
  note(tables: readonly string[] | 'all'): void {
    if (tables.length > 0) this.changes++;
    if (tables === 'all') this.#unknown++;
    else for (const table of tables) this.#changes.set(table, (this.#changes.get(table) ?? 0) + 1);
  }

  /** A transaction begins: what was read before may be over. */
  restart(): void {
    this.#unknown++;
  }
}
