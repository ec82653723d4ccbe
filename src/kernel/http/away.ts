import { FilesAway } from '#kernel/files';
import { DatabaseAway } from '#kernel/store';

/** Returns which service is unavailable, for the log; undefined for other errors. */
export function whatIsAway(error: unknown): 'database' | 'files' | undefined {
  if (error instanceof DatabaseAway) return 'database';
  return error instanceof FilesAway ? 'files' : undefined;
}
