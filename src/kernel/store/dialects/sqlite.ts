import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { reference } from '../reference.ts';
import { asParameter } from '../slot.ts';
import { anywhere, type Dialect, type IndexedWords, type TextSearch } from './dialect.ts';
import { storable } from './codec.ts';
import { sqliteWholeTables } from './whole-tables.ts';

/**
 * Statistics for the planner, fixed for every table and index: a million rows, all of one organization, of which each
 * further column of an index leaves a thousandth. Measured statistics become outdated: those of a new server suggest
 * that a scan is best, even when the table has grown.
 */
const FIXED_STATISTICS: readonly string[] = [
  // Creates the table of statistics, which cannot be created by name.
  'analyze schema_migration',
  'delete from sqlite_stat1',
  "insert into sqlite_stat1 (tbl, stat) select name, '1000000' from sqlite_schema where type = 'table' and sql not like 'create virtual%'",
  `insert into sqlite_stat1 (tbl, idx, stat)
    select tbl, idx, '1000000 ' || group_concat(left_over, ' ') from (
      select tbl, idx, case when is_unique and seqno = last then 1 else
        case narrowing when 0 then 1000000 when 1 then 1000 when 2 then 10 else 1 end end as left_over
      from (
        select t.name as tbl, i.name as idx, i."unique" as is_unique, c.seqno,
          max(c.seqno) over (partition by i.name) as last,
          sum(coalesce(c.name, '') <> 'realm_id') over (partition by i.name order by c.seqno) as narrowing
        from sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        where t.type = 'table' and t.sql not like 'create virtual%'
      ) order by idx, seqno
    ) group by tbl, idx`,
  // Loads the statistics.
  'analyze sqlite_schema',
];

/** FTS5; each word is quoted, and adjacent words must all match. */
const queryOf = (words: readonly string[]) => `(${words.map((word) => `"${word}"`).join(' AND ')})`;

const search: TextSearch = {
  index: (messages) => sql`insert or replace into message_search (rowid, words)
    select value ->> 0, value ->> 1 from json_each(${asParameter(messages, spaced)})`,
  remove: (ids) => sql`delete from message_search where ${inJsonList('rowid', ids)}`,
  idsWith: (...searches) =>
    sql`select rowid as id from message_search where message_search match ${searches.map(queryOf).join(' OR ')}`,
};

/** The dialect of SQLite. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  maxParameters: 32_000,
  anyOf: (column, values) => inJsonList(column, values),
  anyOfText: (column, values) => inJsonList(column, values),
  foundForEach: (table, values, firstOf) =>
    sql`json_each(${jsonList(values)}) as one
      join ${sql.table(table)} as found on found.id in (${firstOf(sql`one.value`)})`,
  // SQLite never reorders a cross join.
  joinedByIndex: (outer, { table, as, where }) =>
    sql`${outer} cross join ${sql.table(table)} as ${reference(as)} on ${where}`,
  rowKey: sql<string>`cast(rowid as text)`,
  isRow: (keys) => inJsonList('rowid', keys.map(Number)),
  packsRows: true,
  collected: (column) => sql<string>`json_group_array(${reference(column)})`,
  jsonText: (column, key) => sql<string | null>`json_extract(${reference(column)}, ${`$.${key}`})`,
  isLongText: (column, text) => sql<SqlBool>`${reference(column)} = ${text}`,
  search,
  wholeTables: sqliteWholeTables,
  containsText: (column, text) => sql<SqlBool>`${reference(column)} like ${anywhere(text)} escape '\\'`,
  isSerial: true,
  snapshotsAtOnce: 1,
  limit: (count) => sql`limit ${sql.lit(count)}`,
  forUpdate: sql``,
  skipLocked: sql``,
  isDuplicate: (error, index) => {
    const message = error instanceof Error ? error.message : '';
    return message.includes('UNIQUE constraint failed') && (index === undefined || message.includes(index));
  },
  isRetryable: () => false,
  types: {
    id: 'integer primary key autoincrement',
    int: 'integer',
    real: 'real',
    text: 'text',
    bool: 'integer',
  },
  hasTable: (name) => sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`,
  clock: sql`select cast(unixepoch('subsec') * 1000 as integer) as now_ms`,
  faults: sql`select integrity_check as fault from pragma_integrity_check where integrity_check <> 'ok' limit 10`,
  afterMigrations: FIXED_STATISTICS,
};

/** Encodes messages as JSON, the words of each as one text. */
function spaced(messages: readonly IndexedWords[]): string {
  return JSON.stringify(messages.map(([id, words]) => [id, words.join(' ')]));
}

function inJsonList(column: string | RawBuilder<unknown>, values: readonly (number | string)[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${typeof column === 'string' ? reference(column) : column} in (select value from json_each(${jsonList(values)}))`;
}

function jsonList(values: readonly (number | string)[]): unknown {
  return asParameter(values, (list) => JSON.stringify(storable(list)));
}
