import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';

/** Thrown if another process serves the embedded database. */
export class DatabaseTaken extends Error {
  override readonly name = 'DatabaseTaken';
}

/**
 * Claims the embedded database for this process with an operating system lock on a file beside it, which is released
 * when the process ends for any reason. Commands that run beside the server do not claim it.
 */
export function claimFile(file: string): SqliteDatabase {
  const { DatabaseSync } = loadSqlite();
  const claim = new DatabaseSync(`${file}-served`, { timeout: 0 });
  try {
    // Only the lock is needed; nothing is written, so there is no journal.
    claim.exec('pragma journal_mode = memory');
    claim.exec('begin exclusive');
    return claim;
  } catch (error) {
    claim.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new DatabaseTaken(`${file} is served by another process already: an embedded database belongs to one`);
  }
}
