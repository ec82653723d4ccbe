import { TestClock } from '#kernel/clock';
import { migrate, openStore } from '#kernel/store';
import pg from 'pg';
import { migrations } from '../../src/migrations/index.ts';
import { POSTGRES_URL } from './chosen-databases.ts';

/** Databases of this process that are not in use, in the state in which their last users left them. */
const free: string[] = [];
/**
 * Connections that empty the databases, one for each. They stay open, because a new one must first read what all tables
 * are like.
 */
const emptying = new Map<string, pg.Client>();
let counter = 0;
let template: Promise<Template> | undefined;

interface Template {
  readonly name: string;
  /** The result of {@link SHAPE} for it. */
  readonly shape: string;
}

/** Returns an empty, migrated database: a used one emptied, because PostgreSQL takes long to copy, or else a copy. */
export async function takePostgres(): Promise<string> {
  const { shape } = await theTemplate();
  for (let used = free.pop(); used !== undefined; used = free.pop()) {
    if (await emptied(used, shape).catch(() => false)) return used;
    await removePostgres(used);
  }
  return copyPostgres();
}

/** Returns an empty, migrated database that was never used. */
export async function copyPostgres(): Promise<string> {
  const { name } = await theTemplate();
  const database = `${name}_${++counter}`;
  await admin(`create database ${database} template ${name}`);
  return database;
}

export async function removePostgres(database: string): Promise<void> {
  emptying.delete(database);
  await admin(`drop database if exists ${database} with (force)`);
}

/** Lets the next test have a database, to which no connection is open any more. */
export function giveBack(database: string): void {
  free.push(database);
}

export function urlOf(database: string): string {
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  return url.href;
}

function theTemplate(): Promise<Template> {
  template ??= makeTemplate();
  return template;
}

async function makeTemplate(): Promise<Template> {
  // The name contains the process IDs of vitest and of this process; remove-databases.ts finds databases by the former.
  const name = `roost_test_${process.ppid}_${process.pid}`;
  await admin(`drop database if exists ${name} with (force)`);
  await admin(`create database ${name} template template0 encoding 'UTF8'`);
  const store = await openStore({ url: urlOf(name), file: '', clock: new TestClock(), poolSize: 1 });
  await migrate(store, migrations);
  await store.close();
  return { name, shape: await connected(urlOf(name), shapeOf) };
}

/**
 * All that a test may have changed besides rows: columns, indexes, functions, migrations, settings. A changed column has
 * a row of a newer transaction.
 */
const SHAPE = `
  select concat_ws(' ',
    (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_attribute),
    (select md5(string_agg(relname, ',' order by relname)) from pg_class where relnamespace = 'public'::regnamespace),
    (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_constraint),
    (select md5(string_agg(name, ',' order by name)) from schema_migration),
    (select count(*) from pg_trigger), (select count(*) from pg_namespace),
    (select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_proc), (select count(*) from pg_extension),
    (select count(*) from pg_db_role_setting s where s.setdatabase = d.oid), d.datconnlimit, d.datallowconn, d.datacl) as shape
  from pg_database d where d.datname = current_database()`;

/**
 * Deletes all rows except migrations and counters of table changes, which only grow, and restarts sequences. Small
 * tables are emptied by DELETE, which is faster for those.
 */
const EMPTY = `do $$
  declare one record;
  begin
    for one in
      select oid::regclass as name, pg_relation_size(oid) as size from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
        and relname not in ('schema_migration', 'table_change')
    loop
      execute format(case when one.size > 200000 then 'truncate %s' else 'delete from %s' end, one.name);
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public' and last_value is not null;
  end $$`;

/** Empties a database; returns whether it is then like a new one. */
async function emptied(database: string, shape: string): Promise<boolean> {
  const client = await emptyingConnection(database);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  if ((await shapeOf(client)) !== shape) return false;
  await client.query(EMPTY);
  return true;
}

/** The open connection of a database, or a new one where a test has ended it or moved it away. */
async function emptyingConnection(database: string): Promise<pg.Client> {
  const open = emptying.get(database);
  if (open) return open;
  const client = new pg.Client({ connectionString: urlOf(database) });
  const forget = () => emptying.delete(database);
  client.on('error', forget).on('end', forget);
  await client.connect();
  emptying.set(database, client);
  return client;
}

async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(SHAPE);
  return rows[0]?.shape ?? '';
}

function admin(statement: string): Promise<void> {
  return connected(POSTGRES_URL, async (client) => {
    await client.query(statement);
  });
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
