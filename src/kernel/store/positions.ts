import { sql } from 'kysely';
import { inChunks } from './chunks.ts';
import type { Tables } from './index.ts';
import type { RealmWriteTx } from './transactions.ts';

/** Rows whose places are set by one statement. */
const CHUNK = 300;

/** Gives rows of the organization the places of their list, from 0, in the column `position`. */
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
