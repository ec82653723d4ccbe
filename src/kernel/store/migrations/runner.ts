import { type Kysely, sql } from 'kysely';
import { WITHOUT_BOUNDS } from '../dialects/postgres-pool.ts';
import type { Store } from '../transactions.ts';
import { type Migration, migratorOn } from './migration.ts';

/** Number of the PostgreSQL lock under which only one process migrates at a time. */
const LOCK = 7_266_578;

/** The database was migrated by a newer release. */
export class NewerSchema extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was changed by a newer release of Roost (${unknown.join(', ')}). Start that release, or restore a backup.`,
    );
  }
}

/** Names of migrations: applied, missing, and unknown to this release. */
interface SchemaState {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * Applies all missing migrations in one transaction under a lock; returns their names. Throws if a newer release has
 * migrated the database.
 */
export async function migrate(store: Store, migrations: readonly Migration[]): Promise<readonly string[]> {
  return store.write(async (tx) => {
    // Migrations do not use the declared tables; the builder only runs their statements.
    const db = tx.db as unknown as Kysely<never>;
    if (tx.dialect.name === 'postgres') {
      await tx.execute({ sql: WITHOUT_BOUNDS, parameters: [], liftsBounds: true });
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
    }
    await sql`create table if not exists schema_migration (name text primary key, applied_at bigint not null)`.execute(
      db,
    );
    const applied = await sql<{ name: string }>`select name from schema_migration`.execute(db);
    const done = new Set(applied.rows.map((row) => row.name));
    assertKnown(done, migrations);
    const due = migrations.filter((migration) => !done.has(migration.name));
    for (const migration of due) {
      await migration.up(migratorOn(db, tx.dialect));
      await sql`insert into schema_migration (name, applied_at) values (${migration.name}, ${tx.now})`.execute(db);
    }
    if (due.length > 0) for (const statement of tx.dialect.afterMigrations) await sql.raw(statement).execute(db);
    return due.map((migration) => migration.name);
  });
}

/** Checks that the database is writable by rewriting a migration's row; throws if not. */
export async function assertWritable(store: Store): Promise<void> {
  await store.write(async (tx) => {
    const latest = sql`(select max(name) from schema_migration)`;
    await sql`update schema_migration set applied_at = applied_at where name = ${latest}`.execute(tx.db);
  });
}

/** Compares the schema of a database with `migrations`, by name; writes nothing. */
export async function readSchema(store: Store, migrations: readonly Migration[]): Promise<SchemaState> {
  const applied = await store.query(async (tx) => {
    const { rows: found } = await tx.dialect.hasTable('schema_migration').execute(tx.db);
    if (found.length === 0) return [];
    const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(tx.db);
    return rows.map(({ name }) => name);
  });
  const names = migrations.map(({ name }) => name);
  return {
    applied,
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

function assertKnown(done: Iterable<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...done].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchema(unknown);
}
