import pg from 'pg';

/** Any database of a PostgreSQL server that rows may use; each makes one of its own there. None: SQLite alone. */
export const POSTGRES_URL = process.env['BENCH_DATABASE_URL'];

/** An empty database and its end. */
interface Made {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Makes an empty database on the server of `address`. */
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
