import { askedTogether } from '../asked-together.ts';
import type { Version } from '../transactions.ts';
import type { Execute, Statement } from './session.ts';

/** How often tables have been changed, and how many rows say so: mostly nothing has since the last look. */
const TOTAL: Statement = {
  sql: 'select coalesce(sum(changes), 0)::bigint as total, count(*)::int as notes from table_change',
  parameters: [],
};
const EACH: Statement = {
  sql: 'select name, sum(changes)::bigint as changes from table_change group by name',
  parameters: [],
};
/** Adds up what many transactions have noted; each note is taken by one process, however many do this at once. */
const GATHER: Statement = {
  sql: `with taken as (delete from table_change returning name, changes)
    insert into table_change (name, changes) select name, sum(changes) from taken group by name`,
  parameters: [],
};
/** Notes from which on they are added up. */
const MANY_NOTES = 200;

interface Total {
  readonly total: number;
  readonly notes: number;
}

const NONE: Total = { total: 0, notes: 0 };

interface Changes {
  readonly name: string;
  readonly changes: number;
}

/** How statements reach the database outside of any transaction. */
interface Options {
  readonly execute: Execute;
  /** Whether the database failed because there is no such table: one that was not migrated. */
  readonly isMissing: (error: unknown) => boolean;
}

/**
 * Versions of the tables of a database that any number of processes change. Triggers count the changes in the
 * transactions that make them (`table_change`), so one statement tells whether what was read before still holds. What this process has
 * changed itself counts from its commit on, without asking.
 */
export class SharedVersions {
  readonly #options: Options;
  readonly #told = new Map<string, number>();
  readonly #own = new Map<string, number>();
  /** Own changes of which it is not known where they were. */
  #unknown = 0;
  /** How many changes the versions were told of. */
  #total: number | undefined;
  #isGathering = false;
  #enough = MANY_NOTES;
  /** Looks for changes of others: all that were committed when it was called are known when it resolves. */
  readonly look: () => Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.look = askedTogether(() => this.#look(options.execute));
  }

  /** Whether the database counts changes, as far as is known. */
  get isKnown(): boolean {
    return this.#total !== undefined;
  }

  /** Looks in a transaction, on its connection. */
  async lookIn(execute: Execute): Promise<void> {
    if (this.isKnown) await this.#look(execute);
  }

  /** The version of tables as of the last look; undefined where the changes of one are not counted. */
  at(tables: readonly string[]): Version | undefined {
    let number = this.#unknown;
    for (const table of tables) {
      const told = this.#told.get(table);
      if (told === undefined) return undefined;
      number += told + (this.#own.get(table) ?? 0);
    }
    return { holder: this, number };
  }

  /** Notes what a transaction of this process has changed, once it has ended. */
  note(tables: Iterable<string> | 'all'): void {
    if (tables === 'all') this.#unknown++;
    else for (const table of tables) this.#own.set(table, (this.#own.get(table) ?? 0) + 1);
  }

  async #look(execute: Execute): Promise<void> {
    try {
      const { rows } = await execute<Total>(TOTAL);
      const { total, notes } = rows[0] ?? NONE;
      if (total !== this.#total) this.#take((await execute<Changes>(EACH)).rows);
      if (notes >= this.#enough) this.#gather(notes);
    } catch (error) {
      if (!this.#options.isMissing(error)) throw error;
    }
  }

  /** Looks on several connections may be answered in another order than they saw: a version never goes back. */
  #take(rows: readonly Changes[]): void {
    for (const { name, changes } of rows) this.#told.set(name, Math.max(this.#told.get(name) ?? 0, changes));
    // Not more than was told: of later changes the next look is told again.
    this.#total = rows.reduce((sum, { changes }) => sum + changes, 0);
  }

  #gather(notes: number): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const ended = (enough: number) => () => {
      this.#isGathering = false;
      this.#enough = enough;
    };
    // Where nothing can be written, it is tried again when there are twice as many.
    this.#options.execute(GATHER).then(ended(MANY_NOTES), ended(2 * notes));
  }
}
