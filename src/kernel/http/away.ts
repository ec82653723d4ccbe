import { FilesAway } from '#kernel/files';
import { DatabaseAway } from '#kernel/store';

/** What a request can not go on without at the moment, as the log names it; undefined for any other failure. */
export function whatIsAway(error: unknown): 'database' | 'files' | undefined {
  if (error instanceof DatabaseAway) return 'database';
  return error instanceof FilesAway ? 'files' : undefined;
}
