import { sql } from 'kysely';
import { inChunks } from './chunks.ts';
import type { Tables } from './index.ts';
import type { RealmWriteTx } from './transactions.ts';

/** Rows that one statement updates. */
const CHUNK = 300;

/** Sets the column `position` of an organization's rows to their index in the list. */
export async function setPositions(tx: RealmWriteTx, table: keyof Tables, ids: readonly number[]): Promise<void> {
  const places = ids.map((id, index) => ({ id, index }));
  for (const chunk of inChunks(places, CHUNK)) {
    const cases = chunk.map(({ id, index }) => sql`when ${id} then ${sql.lit(index)}`);
    const chosen = tx.dialect.anyOf(
      'id',
      chunk.map(({ id }) => id),
    );
    await sql`
      update ${sql.table(table)} set position = case id ${sql.join(cases, sql` `)} end
      where realm_id = ${tx.realmId} and ${chosen}
    `.execute(tx.db);
  }
}
