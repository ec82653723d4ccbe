import { DatabaseAway } from '../away.ts';

/**
 * SQLite's result codes that do not concern the statement: locked for too long (5, 6), not writable (8), disk failure
 * (10), disk full (13), file cannot be opened (14).
 */
const REFUSED = new Set([5, 6, 8, 10, 13, 14]);

/** SQLite's primary result code of an error, its lower byte; 0 for other errors. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** Whether another connection has locked the database. */
export const isLocked = (error: unknown): boolean => codeOf(error) === 5;

/** Converts an error to the one that callers get: `DatabaseAway` if the file cannot be used. */
export function asAway(error: unknown): unknown {
  return REFUSED.has(codeOf(error)) ? new DatabaseAway('refused', error) : error;
}
