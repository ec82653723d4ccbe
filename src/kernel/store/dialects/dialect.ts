import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { WholeTables } from './whole-tables.ts';

/** A message's ID and its indexed words. */
export type IndexedWords = readonly [id: number, words: readonly string[]];

/**
 * Full-text search in the table `message_search`. Words are letters and digits only, case-folded and stemmed by us, so
 * that both databases find the same.
 */
export interface TextSearch {
  /** Stores the words of messages, replacing earlier ones. */
  index(messages: readonly IndexedWords[]): RawBuilder<unknown>;
  /** Removes messages from the index. */
  remove(ids: readonly number[]): RawBuilder<unknown>;
  /** Selects the IDs of messages that have all the words of at least one of the searches. */
  idsWith(...searches: readonly (readonly string[])[]): RawBuilder<{ id: number }>;
  /**
   * Selects all messages with a column `has` that says whether they have all the words, ordered by `id` if the query
   * orders. Absent if `idsWith` returns IDs in order in both directions, so that a limit ends the search early.
   */
  readonly marked?: (words: readonly string[]) => RawBuilder<{ id: number; has: boolean }>;
}

/** A subquery for IDs, given one text. */
export type FirstOf = (value: RawBuilder<string>) => Expression<unknown>;

/** The inner side of a join by an index: a table, the alias of its rows, the columns that are read, and the condition. */
export interface IndexJoin {
  readonly table: string;
  readonly as: string;
  readonly columns: readonly string[];
  readonly where: RawBuilder<SqlBool>;
}

/** A database dialect. Queries use its capabilities and never compare its name. */
export interface Dialect {
  /** For the doctor, migrations and messages of tests; other code must not branch on it. */
  readonly name: 'sqlite' | 'postgres';
  /** Most bound parameters of one statement. */
  readonly maxParameters: number;
  /** Condition that `column` is one of `values`, with a single parameter however long the list. */
  anyOf(column: string, values: readonly number[]): RawBuilder<SqlBool>;
  /** The same for texts; `column` can be an expression. */
  anyOfText(column: string | RawBuilder<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * Source of a select in which `found` is each row of a table whose ID `firstOf` selects for one of `values`. Reads a
   * few rows from each of several ranges of an index, without scanning the rest.
   */
  foundForEach(table: string, values: readonly string[], firstOf: FirstOf): RawBuilder<unknown>;
  /**
   * Source of a select that joins to each row of `outer` the rows of a table that meet `where`, by an index of the
   * table. For ranges and steps of a recursion, for which a planner would read the whole table.
   */
  joinedByIndex(outer: RawBuilder<unknown>, inner: IndexJoin): RawBuilder<unknown>;
  /** Physical location of a row in any table, as text; may be reused by another row. */
  readonly rowKey: RawBuilder<string>;
  /** Condition that the row is at one of these locations. */
  isRow(keys: readonly string[]): RawBuilder<SqlBool>;
  /** Whether many whole rows are faster as one JSON text than one by one. */
  readonly packsRows: boolean;
  /** Aggregates a group's numbers into one JSON text, which is faster than a row for each. */
  collected(column: string): RawBuilder<string>;
  /** The text at `key` of a JSON column, or null. */
  jsonText(column: string, key: string): RawBuilder<string | null>;
  /** Condition that `column`, whose texts are too long for an index of PostgreSQL and are found by their hash there, is the text. */
  isLongText(column: string, text: string): RawBuilder<SqlBool>;
  readonly search: TextSearch;
  readonly wholeTables: WholeTables;
  /** Condition that `column` contains the text, ignoring case (on SQLite only of ASCII letters). */
  containsText(column: string, text: string): RawBuilder<SqlBool>;
  /** Whether writing transactions run one after another, so that what one has read stays true until its commit. */
  readonly isSerial: boolean;
  /** How many snapshots are worth reading from concurrently; one if each statement blocks the process. */
  readonly snapshotsAtOnce: number;
  /** SQL that limits a raw select to `count` rows, in the form that lets the plan be reused. */
  limit(count: number): RawBuilder<unknown>;
  /** SQL that locks the selected rows until the commit. */
  readonly forUpdate: RawBuilder<unknown>;
  /** The same, skipping rows that are locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Whether `error` is a violation of a unique index (whose name contains `index`). */
  isDuplicate(error: unknown, index?: string): boolean;
  /** Whether the transaction may succeed if it is run again. */
  isRetryable(error: unknown): boolean;
  /** SQL types of the migration helpers. */
  readonly types: ColumnTypes;
  /** Selects a row if there is a table with this name. */
  hasTable(name: string): RawBuilder<unknown>;
  /** Selects the database's own time, in milliseconds since 1970. */
  readonly clock: RawBuilder<{ now_ms: number }>;
  /** Selects faults in the database's own structures, at most ten; none if the database checks them itself. */
  readonly faults: RawBuilder<{ fault: string }>;
  /** Statements to run after a change of the schema. */
  readonly afterMigrations: readonly string[];
}

/** SQL type of each kind of column. */
export interface ColumnTypes {
  readonly id: string;
  readonly int: string;
  readonly real: string;
  readonly text: string;
  readonly bool: string;
}

/** Returns a LIKE pattern that matches a text anywhere, with a backslash as the escape character. */
export function anywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Parses the IDs in a text that `collected` has returned. */
export function collectedIds<T extends number>(text: string): readonly T[] {
  return JSON.parse(text) as readonly T[];
}
