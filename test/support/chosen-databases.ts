// Apart from the rest, because vitest's own process reads it too, and that knows no rooms.
export type DatabaseName = 'sqlite' | 'postgres';

/** The databases of this run, from ROOST_TEST_DATABASES; SQLite alone when it is not set. */
export const databases: readonly DatabaseName[] = (process.env['ROOST_TEST_DATABASES'] ?? 'sqlite')
  .split(',')
  .filter((name): name is DatabaseName => name === 'sqlite' || name === 'postgres');

/** The PostgreSQL server on which tests make their databases. */
export const POSTGRES_URL = process.env['ROOST_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
