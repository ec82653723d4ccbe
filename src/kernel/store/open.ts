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
  /** File of the embedded database; its folder is created if missing. */
  readonly file: string;
  readonly clock: Clock;
  /** Logs when the database becomes unreachable and reachable. */
  readonly log?: Log;
  /** Most connections to PostgreSQL; default 10. */
  readonly poolSize?: number;
  /** Whether the database must refuse all writes; does not create the file. */
  readonly readOnly?: boolean;
  /** Whether to check with SQLite which tables a statement writes; default false. */
  readonly strict?: boolean;
}

/** Opens the database. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, file, clock, log, poolSize: size = 10, readOnly = false, strict = false } = options;
  if (url !== undefined) return new PostgresStore(await openPool({ url, size, readOnly, clock, log }), clock);
  if (!readOnly) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return new SqliteStore(file, clock, { readOnly, strict });
}
