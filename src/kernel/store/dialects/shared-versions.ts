import { askedTogether } from '../asked-together.ts';
import { cachedAnswers } from '../cached-query.ts';
import type { Version, Versions } from '../transactions.ts';
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

type Counts = ReadonlyMap<string, number>;

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
  /** By table, the changes of all as of the newest look, and those that this process has noted since its start; replaced, never changed. */
  #told: Counts = new Map();
  #own: Counts = new Map();
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
    this.look = askedTogether(async () => {
      await this.#look(options.execute);
    });
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
    const number = numberOf(tables, this.#told, this.#own, this.#unknown);
    return number === undefined ? undefined : { holder: this, number };
  }

  /**
   * Versions for a snapshot that is about to be taken, and looks by `execute`. It has one where what it sees is what the
   * last look saw, and as long as that holds: what is cached is then neither older nor newer than the snapshot.
   */
  ofSnapshot(execute: Execute): Versions {
    // What is noted from here on may have been committed after the snapshot.
    const [own, unknown, before] = [this.#own, this.#unknown, cachedAnswers()];
    let told: Counts | undefined;
    let looking: Promise<void> | undefined;
    const look = async () => {
      const total = this.isKnown ? await this.#look(execute) : undefined;
      // Counts only grow, all in the order of commits: where their sums are equal, so is each of them.
      if (total !== undefined && total === sumOf(this.#told)) told = this.#told;
    };
    return {
      look: () => (looking ??= look()),
      at: (tables) => {
        const number = told && numberOf(tables, told, own, unknown);
        const shared = this.at(tables);
        return shared && shared.number === number ? { ...shared, before } : undefined;
      },
    };
  }

  /** Notes what a transaction of this process has changed, once it has ended. */
  note(tables: Iterable<string> | 'all'): void {
    if (tables === 'all') this.#unknown++;
    else
      this.#own = new Map([
        ...this.#own,
        ...[...tables].map((table) => [table, (this.#own.get(table) ?? 0) + 1] as const),
      ]);
  }

  /** Looks, and tells how many changes there have been; undefined where they are not counted. */
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

  /** Looks on several connections may be answered in another order than they saw: a version never goes back. */
  #take(rows: readonly Changes[]): void {
    const newest = rows.map(({ name, changes }) => [name, Math.max(this.#told.get(name) ?? 0, changes)] as const);
    this.#told = new Map([...this.#told, ...newest]);
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

/** The version of tables by what is counted of them; undefined where the changes of one are not. */
function numberOf(tables: readonly string[], told: Counts, own: Counts, unknown: number): number | undefined {
  let number = unknown;
  for (const table of tables) {
    const changes = told.get(table);
    if (changes === undefined) return undefined;
    number += changes + (own.get(table) ?? 0);
  }
  return number;
}

function sumOf(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
