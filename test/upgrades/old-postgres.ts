import pg from 'pg';

/** Leaves nothing in a database: no tables, no functions. */
export const emptyPostgres = (url: string): Promise<void> =>
  runSql(url, 'drop schema public cascade; create schema public');

/** Runs statements, as one. */
export async function runSql(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
