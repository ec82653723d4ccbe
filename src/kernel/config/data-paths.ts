import { join } from 'node:path';

/** Paths in the data folder. */
export interface DataPaths {
  /** The embedded database; beside it the database keeps files of its own. */
  readonly database: string;
  readonly secret: string;
  /** Uploads, unless an object store has them. */
  readonly files: string;
  /** Mails, unless a mail server takes them. */
  readonly mails: string;
  /** Unfinished files. */
  readonly spool: string;
}

/** The paths below a data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    database: join(dataDir, 'roost.sqlite3'),
    secret: join(dataDir, 'secret'),
    files: join(dataDir, 'files'),
    mails: join(dataDir, 'mails'),
    spool: join(dataDir, 'spool'),
  };
}
