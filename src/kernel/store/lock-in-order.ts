import { sql } from 'kysely';
import type { Tables } from './index.ts';
import type { RealmWriteTx } from './transactions.ts';

/**
 * Locks rows of an organization until the commit, ordered by ID. Two transactions that change the same rows in
 * different orders would deadlock, which PostgreSQL notices only after a second. Does nothing if only one transaction
 * writes at a time.
 */
export async function lockInOrder(tx: RealmWriteTx, table: keyof Tables, ids: readonly number[]): Promise<void> {
  if (ids.length < 2 || tx.dialect.isSerial) return;
  await sql`select id from ${sql.table(table)} where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}
    order by id ${tx.dialect.forUpdate}`.execute(tx.db);
}
