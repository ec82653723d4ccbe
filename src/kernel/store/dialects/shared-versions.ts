import { askedTogether } from '../asked-together.ts';
import { cachedAnswers } from '../cached-query.ts';
import type { Version } from '../transactions.ts';
import type { Execute, Statement } from './session.ts';
import { type Counts, SnapshotVersions, sumOf } from './snapshot-versions.ts';

/** Selects the sum of all change counts and their number of rows; the sum is usually the same as before. */
const TOTAL: Statement = {
  sql: 'select coalesce(sum(changes), 0)::bigint as total, count(*)::int as notes from table_change',
  parameters: [],
};
const EACH: Statement = {
  sql: 'select name, sum(changes)::bigint as changes from table_change group by name',
  parameters: [],
};
/** Sums up the rows of many transactions; each row is added once, however many processes run this at once. */
const GATHER: Statement = {
  sql: `with taken as (delete from table_change returning name, changes)
    insert into table_change (name, changes) select name, sum(changes) from taken group by name`,
  parameters: [],
};
/** Number of rows from which on they are summed up. */
const MANY_NOTES = 200;

/** Milliseconds without changes after which snapshots guess that there is none now either. */
export const QUIET_MS = 100;

interface Total {
  readonly total: number;
  readonly notes: number;
}

const NONE: Total = { total: 0, notes: 0 };

interface Changes {
  readonly name: string;
  readonly changes: number;
}

/** How statements run outside of any transaction. */
interface Options {
  readonly execute: Execute;
  /** Whether the error means that the table does not exist, because the database is not migrated. */
  readonly isMissing: (error: unknown) => boolean;
}

/**
 * Versions of the tables of a database that several processes change. Triggers count the changes in the transactions
 * that make them (`table_change`), so that one statement tells whether earlier reads are still valid. This process's
 * own changes count from their commit on, without a statement.
 */
export class SharedVersions {
  readonly #options: Options;
  /**
   * Change counts by table: those of all processes as of the last look, and this process's own since its start. The
   * maps are replaced and never changed.
   */
  #counted: Counts = new Map();
  #own: Counts = new Map();
  /** Own changes of unknown tables. */
  #unknown = 0;
  /** The sum of change counts at the last look. */
  #total: number | undefined;
  /** When a look last found changes, in milliseconds since the start of the process. */
  #changedMs = -Infinity;
  #isGathering = false;
  #enough = MANY_NOTES;
  /** Looks for changes by other processes; when it resolves, all that were committed before the call are known. */
  readonly look: () => Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.look = askedTogether(async () => {
      await this.#look(options.execute);
    });
  }

  /** Whether the database counts changes, as far as is known. */
  get isKnown(): boolean {
    return this.#total !== undefined;
  }

  /** Looks within a transaction, on its connection. */
  async lookIn(execute: Execute): Promise<void> {
    if (this.isKnown) await this.#look(execute);
  }

  /** The version of tables as of the last look; undefined if changes of one are not counted. */
  at(tables: readonly string[]): Version | undefined {
    const number = numberOf(tables, this.#counted, this.#own, this.#unknown);
    return number === undefined ? undefined : { holder: this, number };
  }

  /**
   * Versions for a snapshot that is about to be taken, which looks by `execute`. The snapshot has a version if and as
   * long as it sees the same as the last look: then cached results are neither older nor newer than the snapshot.
   */
  ofSnapshot(execute: Execute): SnapshotVersions {
    // Changes noted from here on may have been committed after the snapshot.
    const [own, unknown, before] = [this.#own, this.#unknown, cachedAnswers()];
    return new SnapshotVersions({
      guess: this.isKnown && performance.now() - this.#changedMs >= QUIET_MS ? this.#counted : undefined,
      look: async () => {
        const total = this.isKnown ? await this.#look(execute) : undefined;
        // Counts only grow, and in the order of commits: if their sums are equal, all of them are.
        return { total, counts: total === sumOf(this.#counted) ? this.#counted : undefined };
      },
      at: (counts, tables) => {
        const number = numberOf(tables, counts, own, unknown);
        const shared = this.at(tables);
        return shared && shared.number === number ? { ...shared, before } : undefined;
      },
    });
  }

  /** Records what a transaction of this process has changed, after it has ended. */
  note(tables: Iterable<string> | 'all'): void {
    if (tables === 'all') this.#unknown++;
    else
      this.#own = new Map([
        ...this.#own,
        ...[...tables].map((table) => [table, (this.#own.get(table) ?? 0) + 1] as const),
      ]);
  }

  /** Looks, and returns the sum of change counts; undefined if they are not counted. */
  async #look(execute: Execute): Promise<number | undefined> {
    try {
      const { rows } = await execute<Total>(TOTAL);
      const { total, notes } = rows[0] ?? NONE;
      if (total !== this.#total) this.#take((await execute<Changes>(EACH)).rows);
      if (notes >= this.#enough) this.#gather(notes);
      return total;
    } catch (error) {
      if (!this.#options.isMissing(error)) throw error;
      return undefined;
    }
  }

  /** Looks on several connections may arrive in another order than they ran; counts must never decrease. */
  #take(rows: readonly Changes[]): void {
    this.#changedMs = performance.now();
    const newest = rows.map(({ name, changes }) => [name, Math.max(this.#counted.get(name) ?? 0, changes)] as const);
    this.#counted = new Map([...this.#counted, ...newest]);
    // Only what was read here, so that the next look finds later changes.
    this.#total = rows.reduce((sum, { changes }) => sum + changes, 0);
  }

  #gather(notes: number): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const ended = (enough: number) => () => {
      this.#isGathering = false;
      this.#enough = enough;
    };
    // If writing fails, it is tried again when there are twice as many rows.
    this.#options.execute(GATHER).then(ended(MANY_NOTES), ended(2 * notes));
  }
}

/** The version of tables from their counts; undefined if changes of one are not counted. */
function numberOf(tables: readonly string[], counted: Counts, own: Counts, unknown: number): number | undefined {
  let number = unknown;
  for (const table of tables) {
    const changes = counted.get(table);
    if (changes === undefined) return undefined;
    number += changes + (own.get(table) ?? 0);
  }
  return number;
}
