// In a file of its own because vitest's own process reads it too, and that cannot import rooms.
export type DatabaseName = 'sqlite' | 'postgres';

/** The databases of this run, from ROOST_TEST_DATABASES; SQLite alone when it is not set. */
export const databases: readonly DatabaseName[] = (process.env['ROOST_TEST_DATABASES'] ?? 'sqlite')
  .split(',')
  .filter((name): name is DatabaseName => name === 'sqlite' || name === 'postgres');

/**
 * The databases for a test file that takes long because it starts processes or reads whole archives. CI runs each such
 * file on one of them, half of the files on each; `npm test` elsewhere runs all on both.
 */
export function databasesInTurn(file: string): readonly DatabaseName[] {
  if (process.env['CI'] !== 'true') return databases;
  const letters = Array.from(file.slice(file.lastIndexOf('/') + 1), (letter) => letter.charCodeAt(0));
  const turn = letters.reduce((sum, code) => sum + code, 0) % Math.max(1, databases.length);
  return databases.slice(turn, turn + 1);
}

/** The PostgreSQL server on which tests make their databases. */
export const POSTGRES_URL = process.env['ROOST_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
