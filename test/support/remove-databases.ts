import pg from 'pg';
import { databases, POSTGRES_URL } from './chosen-databases.ts';

/** Runs in vitest's own process after all tests: removes the databases that its test processes made on PostgreSQL. */
export async function teardown(): Promise<void> {
  if (!databases.includes('postgres')) return;
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'roost\\_test\\_${process.pid}\\_%'`,
  );
  for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`);
  await client.end();
}
