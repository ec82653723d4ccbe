import type { Version, Versions } from '../transactions.ts';
import type { SharedVersions } from './shared-versions.ts';
import { tablesWritten } from './table-versions.ts';

/** A lock is waited for, and what was read before may be over by then. */
const LOCKS = /\bfor update\b/i;

/** What a statement does to what was read before it. */
export interface Touch {
  /** The tables that it may change; `all` where it cannot be told. */
  readonly tables: readonly string[] | 'all';
  /** Whether it may have waited for others. */
  readonly waits: boolean;
}

/** What a statement does, by its text. */
export function touchOf(text: string): Touch {
  return { tables: tablesWritten(text), waits: LOCKS.test(text) };
}

/**
 * Knows what the writes of one transaction have changed themselves. What others have committed since it began they need
 * not see: each of them might as well have come before that. Tables that it has not changed have the versions that all
 * transactions share.
 */
export class LineVersions implements Versions {
  readonly #shared: SharedVersions;
  readonly #changes = new Map<string, number>();
  /** Changes of which it is not known where they were, and times that were waited. */
  #unknown = 0;
  #touched = new Set<string>();
  #hasTouchedAll = false;
  /** Whether the shared versions are as new as this transaction. */
  #isUpToDate = false;
  /** Statements that may have changed something. */
  changes = 0;

  constructor(shared: SharedVersions) {
    this.#shared = shared;
  }

  at(tables: readonly string[]): Version {
    const isOwn = !this.#isUpToDate || this.#hasTouchedAll || tables.some((table) => this.#touched.has(table));
    const shared = isOwn ? undefined : this.#shared.at(tables);
    if (shared) return shared;
    const number = tables.reduce((sum, table) => sum + (this.#changes.get(table) ?? 0), this.#unknown);
    return { holder: this, number };
  }

  /** Notes a statement. */
  note({ tables, waits }: Touch): void {
    if (waits || tables.length > 0) this.changes++;
    if (waits || tables === 'all') this.#unknown++;
    if (waits) this.#isUpToDate = false;
    if (tables === 'all') this.#hasTouchedAll = true;
    else
      for (const table of tables) {
        this.#changes.set(table, (this.#changes.get(table) ?? 0) + 1);
        this.#touched.add(table);
      }
  }

  /** A transaction begins: what was read before may be over; `isUpToDate` where the shared versions are newer than it. */
  restart(isUpToDate: boolean): void {
    this.#unknown++;
    this.#touched = new Set();
    this.#hasTouchedAll = false;
    this.#isUpToDate = isUpToDate;
  }

  /** The transaction has ended, one way or the other. */
  end(): void {
    if (this.#hasTouchedAll) this.#shared.note('all');
    else if (this.#touched.size > 0) this.#shared.note(this.#touched);
    this.restart(false);
  }
}
