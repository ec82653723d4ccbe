import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';

/** The embedded database is served by another process. */
export class DatabaseTaken extends Error {
  override readonly name = 'DatabaseTaken';
}

/**
 * Takes the embedded database for this process: a lock of the operating system on a file beside it, which ends with the
 * process however that ends. Commands beside the server do not ask for it.
 */
export function claimFile(file: string): SqliteDatabase {
  const { DatabaseSync } = loadSqlite();
  const claim = new DatabaseSync(`${file}-served`, { timeout: 0 });
  try {
    // Nothing is ever written: the lock alone is wanted, and no journal.
    claim.exec('pragma journal_mode = memory');
    claim.exec('begin exclusive');
    return claim;
  } catch (error) {
    claim.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new DatabaseTaken(`${file} is served by another process already: an embedded database belongs to one`);
  }
}
