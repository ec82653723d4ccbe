import type { Version, Versions } from '../transactions.ts';
import type { SharedVersions } from './shared-versions.ts';
import { tablesWritten } from './table-versions.ts';

/** Matches statements that may wait for a lock; meanwhile, earlier reads may become outdated. */
const LOCKS = /\bfor update\b/i;

/** How a statement affects earlier reads. */
export interface Touch {
  /** Tables that it may change; `all` if unknown. */
  readonly tables: readonly string[] | 'all';
  /** Whether it may have waited for other transactions. */
  readonly waits: boolean;
}

/** Derives from a statement's text what it may change. */
export function touchOf(text: string): Touch {
  return { tables: tablesWritten(text), waits: LOCKS.test(text) };
}

/**
 * Versions of tables within one transaction, by its own writes. Commits of others since it began do not count: the
 * transaction might as well have been committed before them. Tables that it has not changed have the versions that all
 * transactions share.
 */
export class LineVersions implements Versions {
  readonly #shared: SharedVersions;
  readonly #changes = new Map<string, number>();
  /** Number of changes of unknown tables, and of waits for a lock. */
  #unknown = 0;
  #touched = new Set<string>();
  #hasTouchedAll = false;
  /** Whether the shared versions are as new as this transaction. */
  #isUpToDate = false;
  /** Number of statements that may have changed something. */
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

  /** Records a statement. */
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

  /**
   * Begins a transaction, which invalidates earlier reads. `isUpToDate` says that the shared versions were read in it.
   */
  restart(isUpToDate: boolean): void {
    this.#unknown++;
    this.#touched = new Set();
    this.#hasTouchedAll = false;
    this.#isUpToDate = isUpToDate;
  }

  /** Ends the transaction, committed or rolled back. */
  end(): void {
    if (this.#hasTouchedAll) this.#shared.note('all');
    else if (this.#touched.size > 0) this.#shared.note(this.#touched);
    this.restart(false);
  }
}
