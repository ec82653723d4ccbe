import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { WholeTables } from './whole-tables.ts';

/** A message's ID and its words. */
export type IndexedWords = readonly [id: number, words: readonly string[]];

/**
 * Full-text search over the table `message_search`. Words are letters and digits only, already folded and stemmed, so
 * that both databases find the same.
 */
export interface TextSearch {
  /** Stores the words of messages in place of those they had. */
  index(messages: readonly IndexedWords[]): RawBuilder<unknown>;
  /** Forgets messages. */
  remove(ids: readonly number[]): RawBuilder<unknown>;
  /** Select of the IDs of messages that have all the words. */
  idsWith(words: readonly string[]): RawBuilder<{ id: number }>;
  /**
   * Select of all messages, in order of their `id` where that is asked for, and whether each `has` all the words. Absent where
   * `idsWith` gives IDs in order as it finds them, either way, so that a limit ends the search.
   */
  readonly marked?: (words: readonly string[]) => RawBuilder<{ id: number; has: boolean }>;
}

/** A query for IDs, about one text. */
export type FirstOf = (value: RawBuilder<string>) => Expression<unknown>;

/** What a database can do and how it says it. Queries ask for capabilities, never for a name. */
export interface Dialect {
  /** For the doctor and for tests that say why; never to branch on. */
  readonly name: 'sqlite' | 'postgres';
  /** Most bound parameters of one statement. */
  readonly maxParameters: number;
  /** `column` is one of `values`, as one parameter however long the list. */
  anyOf(column: string, values: readonly number[]): RawBuilder<SqlBool>;
  /** `column` (or what an expression gives) is one of `values`, for text. */
  anyOfText(column: string | RawBuilder<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * What to select from so that `found` is each row of a table whose ID `firstOf` gives for one of `values`: a few from each
   * of several ordered places of an index, without a look at the rest.
   */
  foundForEach(table: string, values: readonly string[], firstOf: FirstOf): RawBuilder<unknown>;
  /** Where a row of any table is kept, as text; another row may take its place. */
  readonly rowKey: RawBuilder<string>;
  /** The row is at one of these places. */
  isRow(keys: readonly string[]): RawBuilder<SqlBool>;
  /** Whether many whole rows come faster as one JSON text than one by one. */
  readonly packsRows: boolean;
  /** The numbers of a group as one JSON text, which is faster than a row for each. */
  collected(column: string): RawBuilder<string>;
  /** The text at `key` of a JSON column, or null. */
  jsonText(column: string, key: string): RawBuilder<string | null>;
  readonly search: TextSearch;
  readonly wholeTables: WholeTables;
  /** `column` contains the text; letter case does not count, on SQLite for ASCII letters only. */
  containsText(column: string, text: string): RawBuilder<SqlBool>;
  /** Whether writing transactions run one after another: what one has read stays true until its commit. */
  readonly isSerial: boolean;
  /** Snapshots that are worth reading from at the same time: one where the process waits for each statement. */
  readonly snapshotsAtOnce: number;
  /** Text to end raw SQL with so that it gives at most `count` rows, in the form that is not planned anew each time. */
  limit(count: number): RawBuilder<unknown>;
  /** Text to end a select with so that its rows stay locked until the commit. */
  readonly forUpdate: RawBuilder<unknown>;
  /** The same, leaving out rows that somebody else has locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Whether `error` says that a unique index (whose name contains `index`) already has the value. */
  isDuplicate(error: unknown, index?: string): boolean;
  /** Whether the transaction may succeed when it is run again. */
  isRetryable(error: unknown): boolean;
  /** SQL types of the migration helpers. */
  readonly types: ColumnTypes;
  /** A row when there is a table of this name. */
  hasTable(name: string): RawBuilder<unknown>;
  /** Select of the database's own time, in milliseconds since 1970. */
  readonly clock: RawBuilder<{ now_ms: number }>;
  /** Select of what is broken in the database's own structures; at most ten faults, none where it keeps watch itself. */
  readonly faults: RawBuilder<{ fault: string }>;
  /** Statements that follow a change of the schema. */
  readonly afterMigrations: readonly string[];
}

/** How each kind of column is spelled when a table is created. */
export interface ColumnTypes {
  readonly id: string;
  readonly int: string;
  readonly real: string;
  readonly text: string;
  readonly bool: string;
}

/** A text as a pattern of LIKE that matches it anywhere, with a backslash as the escape. */
export function anywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** The IDs in a text that `collected` made. */
export function collectedIds<T extends number>(text: string): readonly T[] {
  return JSON.parse(text) as readonly T[];
}
