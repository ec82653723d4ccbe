import pg from 'pg';

/**
 * Address of any database of a PostgreSQL server on which measurements create their own; without it they use SQLite
 * alone.
 */
export const POSTGRES_URL = process.env['BENCH_DATABASE_URL'];

/** A created database and its removal. */
interface Made {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Creates an empty database on the server of `address`. */
export async function makePostgres(address: string): Promise<Made> {
  const name = `roost_bench_${process.pid}_${++made}`;
  await admin(address, `create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => admin(address, `drop database ${name} with (force)`) };
}

let made = 0;

async function admin(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
