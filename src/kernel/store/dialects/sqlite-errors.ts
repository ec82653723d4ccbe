import { DatabaseAway } from '../away.ts';

/**
 * Result codes of SQLite that say nothing about the statement: locked by somebody for too long (5, 6), not writable (8), the
 * disk fails (10) or is full (13), the file can not be opened (14).
 */
const REFUSED = new Set([5, 6, 8, 10, 13, 14]);

/** The error that callers see: `DatabaseAway` where the file cannot be used. */
export function asAway(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  // The higher bits tell more exactly what happened.
  return REFUSED.has(code & 0xff) ? new DatabaseAway('refused', error) : error;
}
