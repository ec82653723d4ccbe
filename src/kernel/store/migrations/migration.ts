import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialects/dialect.ts';

/** A column in a migration; this format is frozen. */
interface MigrationColumn {
  readonly type: keyof Dialect['types'] | 'json';
  readonly nullable?: boolean;
  readonly default?: number | string | boolean;
}

interface TableOptions {
  readonly primaryKey?: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
}

/** The helpers of migrations; they must do the same in both databases, forever. */
export interface Migrator {
  createTable(name: string, columns: Readonly<Record<string, MigrationColumn>>, options?: TableOptions): Promise<void>;
  addColumn(table: string, name: string, column: MigrationColumn): Promise<void>;
  createIndex(table: string, columns: readonly string[], unique?: boolean): Promise<void>;
  /** Runs statements that differ by database. */
  byDialect(statements: Readonly<Record<Dialect['name'], readonly string[]>>): Promise<void>;
  /** Runs a statement that is the same in both. */
  run(statement: string): Promise<void>;
}

/** A step of the schema, named by minute and subject; there is no way back. */
export interface Migration {
  readonly name: string;
  readonly up: (migrator: Migrator) => Promise<void>;
  /** Why processes of the previous release can do without what it removes; absent if it removes nothing. */
  readonly contracts?: string;
}

/** Declares a migration. */
export function defineMigration(name: string, up: Migration['up'], contracts?: string): Migration {
  return contracts === undefined ? { name, up } : { name, up, contracts };
}

/** Creates the helpers for an open transaction. */
export function migratorOn(db: Kysely<never>, dialect: Dialect): Migrator {
  const run = async (statement: string) => {
    await sql.raw(statement).execute(db);
  };
  const createIndex = (table: string, columns: readonly string[], unique = false) =>
    run(`create ${unique ? 'unique ' : ''}index ${indexName(table, columns)} on "${table}" (${quoted(columns)})`);
  return {
    run,
    createIndex,
    addColumn: (table, name, column) => run(`alter table "${table}" add column ${columnSql(name, column, dialect)}`),
    byDialect: async (statements) => {
      for (const statement of statements[dialect.name]) await run(statement);
    },
    createTable: async (name, columns, options = {}) => {
      const parts = Object.entries(columns).map(([column, spec]) => columnSql(column, spec, dialect));
      if (options.primaryKey) parts.push(`primary key (${quoted(options.primaryKey)})`);
      await run(`create table "${name}" (${parts.join(', ')})`);
      for (const index of options.unique ?? []) await createIndex(name, index, true);
      for (const index of options.indexes ?? []) await createIndex(name, index);
    },
  };
}

function columnSql(name: string, column: MigrationColumn, dialect: Dialect): string {
  const type = dialect.types[column.type === 'json' ? 'text' : column.type];
  const nullable = column.nullable || column.type === 'id' ? '' : ' not null';
  return `"${name}" ${type}${nullable}${defaultSql(column, dialect)}`;
}

function defaultSql(column: MigrationColumn, dialect: Dialect): string {
  const value = column.default;
  if (value === undefined) return '';
  if (typeof value === 'string') return ` default '${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return ` default ${value}`;
  return ` default ${dialect.types.bool === 'boolean' ? String(value) : Number(value)}`;
}

function indexName(table: string, columns: readonly string[]): string {
  return `"${[table, ...columns].join('_').slice(0, 60)}"`;
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
