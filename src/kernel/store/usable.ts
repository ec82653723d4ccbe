import { sql } from 'kysely';
import type { Store } from './transactions.ts';

/** Oldest supported PostgreSQL, by major version. */
export const OLDEST_POSTGRES = 14;

/** PostgreSQL cannot be used as configured. The message has the variable and the reason, and no secret. */
export class DatabaseUnusable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`ROOST_DATABASE_URL: ${reason}`, { cause });
  }
}

/** Returns PostgreSQL's major version; undefined for the embedded database. */
export async function postgresVersion(store: Store): Promise<number | undefined> {
  return store.query(async (tx) => {
    if (tx.dialect.name !== 'postgres') return undefined;
    const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(tx.db);
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  });
}

/** Checks that the database can be used, before anything else; throws the reason if not. */
export async function assertUsable(store: Store): Promise<void> {
  const version = await postgresVersion(store).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new DatabaseUnusable(`PostgreSQL cannot be used there: ${reason}`, error);
  });
  if (version !== undefined && version < OLDEST_POSTGRES)
    throw new DatabaseUnusable(`PostgreSQL ${version} is too old; ${OLDEST_POSTGRES} or newer is needed`);
}
