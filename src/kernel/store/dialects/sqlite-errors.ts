import { DatabaseAway } from '../away.ts';

/**
 * SQLite's result codes that do not concern the statement: locked for too long (5, 6), not writable (8), disk failure
 * (10), disk full (13), file cannot be opened (14).
 */
const REFUSED = new Set([5, 6, 8, 10, 13, 14]);

/** Converts an error to the one that callers get: `DatabaseAway` if the file cannot be used. */
export function asAway(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  // The lower byte is the primary result code.
  return REFUSED.has(code & 0xff) ? new DatabaseAway('refused', error) : error;
}
