import { DatabaseTaken } from '../taken.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';

/**
 * Claims the embedded database for this process with an operating system lock on a file beside it, which is released
 * when the process ends for any reason. Commands that run beside the server do not claim it.
 */
export function claimFile(file: string): SqliteDatabase {
  const claim = lockBeside(file, 'served');
  if (claim) return claim;
  throw new DatabaseTaken(`${file} is served by another process already: an embedded database belongs to one`);
}

/** Locks a file beside the embedded database; undefined if somebody else has locked it. */
export function lockBeside(file: string, name: string): SqliteDatabase | undefined {
  const { DatabaseSync } = loadSqlite();
  const lock = new DatabaseSync(`${file}-${name}`, { timeout: 0 });
  try {
    // Only the lock is needed; nothing is written, so there is no journal.
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    return undefined;
  }
}
