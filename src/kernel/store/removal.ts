import { sql } from 'kysely';
import type { Table } from './table.ts';
import type { Store } from './transactions.ts';

/**
 * Deletes up to `limit` rows of a realm; returns their number. They are selected outside of the write, so that others
 * can write meanwhile.
 */
export async function removeRows(store: Store, { name }: Table, realmId: number, limit: number): Promise<number> {
  const keys = await store.query(async (tx) => {
    const found = sql<{ row_key: string }>`
      select ${tx.dialect.rowKey} as row_key from ${sql.table(name)} where realm_id = ${realmId} limit ${limit}
    `;
    return (await found.execute(tx.db)).rows.map(({ row_key }) => row_key);
  });
  if (keys.length === 0) return 0;
  await store.write((tx) =>
    // Another row may be at the same location by now.
    sql`delete from ${sql.table(name)} where realm_id = ${realmId} and ${tx.dialect.isRow(keys)}`.execute(tx.db),
  );
  return keys.length;
}
