import { type RawBuilder, sql } from 'kysely';
import { asParameter } from '../slot.ts';
import type { Table } from '../table.ts';

/** A row as the values of a table's columns, in the order of declaration; JSON as the stored text. */
export type RawRow = readonly unknown[];

/** How whole tables are read and written, regardless of their content. */
export interface WholeTables {
  /** Selects every column of every ordinary table, except the search index and the list of migrations. */
  readonly columns: RawBuilder<{ table_name: string; column_name: string }>;
  /** Statements that page through a table inside one transaction; `next` continues after a `row_place`. */
  scan(table: Table, size: number, realmId: number | undefined): Scan;
  /** Inserts rows unchanged, IDs included. */
  insert(table: Table, rows: readonly RawRow[]): RawBuilder<unknown>;
  /** Selects the newest ID that a table has given out; no row or null if there is none. */
  newestId(table: string): RawBuilder<{ newest: number | null }>;
  /** Takes IDs from a table's sequence; only if writers run concurrently. */
  take(table: string, count: number): RawBuilder<{ id: number }>;
  /** Makes a table's IDs continue after this one. */
  continueAfter(table: string, newest: number): readonly RawBuilder<unknown>[];
  /** Statement that lifts the time limits from the rest of the transaction; undefined if there are none. */
  readonly unbounded: string | undefined;
  /** Selects how many other connections of Roost the database has; no row if that is unknown. */
  readonly others: RawBuilder<{ others: number }>;
  /**
   * Selects the indexes that no key needs, with the statements that create them; none if they do not slow down
   * inserting.
   */
  readonly indexes: RawBuilder<{ name: string; definition: string }>;
  /** Statement to run after many inserts, to update the planner's statistics. */
  readonly analyze: string | undefined;
}

/** The statements of one pass over a table. Columns are called `c0`, `c1`, … so that no codec decodes their values. */
export interface Scan {
  readonly open: RawBuilder<unknown> | undefined;
  next(place: unknown): RawBuilder<ScannedRow>;
  readonly close: RawBuilder<unknown> | undefined;
}

export type ScannedRow = Readonly<Record<string, unknown>>;

const names = (table: Table) => Object.keys(table.columns);

/** The columns of a table under neutral names. */
function selected(table: Table): RawBuilder<unknown> {
  return sql.join(names(table).map((name, index) => sql`${sql.ref(name)} as ${sql.id(`c${index}`)}`));
}

function ofRealm(table: Table, realmId: number | undefined): RawBuilder<unknown> {
  if (realmId === undefined) return sql`true`;
  return table.name === 'realm' ? sql`id = ${realmId}` : sql`realm_id = ${realmId}`;
}

const kindsOf = (table: Table) => Object.values(table.columns).map(({ kind }) => kind);

/** SQLite: pages by row ID, rows as one JSON text. */
export const sqliteWholeTables: WholeTables = {
  columns: sql`select t.name as table_name, c.name as column_name from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'message_search%' and t.name <> 'schema_migration'`,
  scan: (table, size, realmId) => ({
    open: undefined,
    next: (place) => sql`select ${selected(table)}, rowid as row_place from ${sql.table(table.name)}
      where rowid > ${place ?? -1} and ${ofRealm(table, realmId)} order by rowid limit ${sql.lit(size)}`,
    close: undefined,
  }),
  insert: (table, rows) => {
    const values = names(table).map((_name, index) => sql`value ->> ${sql.lit(index)}`);
    const list = asParameter(rows, (all) => JSON.stringify(all.map((row) => row.map(asNumber))));
    return sql`insert into ${sql.table(table.name)} (${sql.join(names(table).map((name) => sql.ref(name)))})
      select ${sql.join(values)} from json_each(${list})`;
  },
  take: () => sql`select 0 as id where false`,
  newestId: (table) => sql`select seq as newest from sqlite_sequence where name = ${table}`,
  continueAfter: (table, newest) => [
    sql`delete from sqlite_sequence where name = ${table}`,
    sql`insert into sqlite_sequence (name, seq) values (${table}, ${newest})`,
  ],
  unbounded: undefined,
  others: sql`select 0 as others where false`,
  indexes: sql`select '' as name, '' as definition where false`,
  analyze: undefined,
};

/** Booleans are stored as 0 and 1. */
function asNumber(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Array types by kind of column. */
export const ARRAYS = {
  id: 'bigint[]',
  int: 'bigint[]',
  real: 'float8[]',
  bool: 'boolean[]',
  text: 'text[]',
  json: 'text[]',
};

/** Encodes a list as PostgreSQL's array text; the driver would do so only when it is sent. */
function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value ?? null))).join()}}`;
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/** PostgreSQL: pages from a cursor, rows as one array for each column. */
export const postgresWholeTables: WholeTables = {
  columns: sql`select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and table_name not in ('message_search', 'schema_migration', 'table_change')`,
  scan: (table, size, realmId) => {
    const cursor = sql.id(`scan_${table.name}`);
    return {
      open: sql`declare ${cursor} no scroll cursor for
        select ${selected(table)} from ${sql.table(table.name)} where ${ofRealm(table, realmId)}
        ${table.columns['id'] ? sql`order by id` : sql``}`,
      next: () => sql`fetch ${sql.lit(size)} from ${cursor}`,
      close: sql`close ${cursor}`,
    };
  },
  insert: (table, rows) => {
    const kinds = kindsOf(table);
    const columns = names(table);
    const lists = kinds.map(
      (kind, index) => sql`${arrayText(rows.map((row) => row[index]))}::${sql.raw(ARRAYS[kind])}`,
    );
    return sql`insert into ${sql.table(table.name)} (${sql.join(columns.map((name) => sql.ref(name)))})
      select * from unnest(${sql.join(lists)})`;
  },
  take: (table, count) =>
    sql`select nextval(pg_get_serial_sequence(${`"${table}"`}, 'id')) as id from generate_series(1, ${count})`,
  newestId: (table) => sql`select last_value as newest from pg_sequences
    where schemaname = current_schema() and sequencename = ${`${table}_id_seq`}`,
  continueAfter: (table, newest) => [
    newest === 0
      ? sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), 1, false)`
      : sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${newest})`,
  ],
  unbounded: `select set_config(name, '0', true) from (values ('idle_in_transaction_session_timeout'), ('lock_timeout'),
    ('statement_timeout'), ('transaction_timeout')) bound(name) where current_setting(name, true) is not null`,
  others: sql`select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name = 'roost' and pid <> pg_backend_pid()`,
  indexes: sql`select index_class.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class index_class on index_class.oid = i.indexrelid
    join pg_class table_class on table_class.oid = i.indrelid
    where table_class.relnamespace = current_schema()::regnamespace and table_class.relkind = 'r'
      and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
    order by 1`,
  analyze: 'analyze',
};
