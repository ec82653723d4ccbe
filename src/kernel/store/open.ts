import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '#kernel/clock';
import type { Log } from '#kernel/log';
import { openPool } from './dialects/postgres-pool.ts';
import { PostgresStore } from './dialects/postgres-store.ts';
import { SqliteStore } from './dialects/sqlite-store.ts';
import type { Store } from './transactions.ts';

/** Where the database is. */
export interface StoreOptions {
  /** `postgres://…`, or undefined for the embedded database. */
  readonly url: string | undefined;
  /** File of the embedded database; its folder is made when missing. */
  readonly file: string;
  readonly clock: Clock;
  /** Called when the database goes away and comes back. */
  readonly log?: Log;
  /** Most connections to PostgreSQL; default 10. */
  readonly poolSize?: number;
  /** Whether nothing may be written, not even the file itself; the database refuses it. */
  readonly readOnly?: boolean;
  /** Whether SQLite is asked, too, which tables a statement writes; default: no. */
  readonly strict?: boolean;
}

/** Opens the database that the options name. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, file, clock, log, poolSize: size = 10, readOnly = false, strict = false } = options;
  if (url !== undefined) return new PostgresStore(await openPool({ url, size, readOnly, clock, log }), clock);
  if (!readOnly) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return new SqliteStore(file, clock, { readOnly, strict });
}
