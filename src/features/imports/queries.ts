import { createHash } from 'node:crypto';
import { inChunks, type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import type { ItemKind } from './tables.ts';

/** Keys that one statement asks for. */
const CHUNK = 500;

/** The digest that an item is recorded by. */
export function itemKey(product: string, key: string): string {
  return createHash('sha256').update(`${product}\n${key}`).digest('base64url').slice(0, 27);
}

/** Finds the items of these keys that were imported before, with their IDs here. */
export async function findItems(
  tx: RealmReadTx,
  kind: ItemKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const chunk of inChunks(keys, CHUNK)) {
    const rows = await tx.db
      .selectFrom('import_item')
      .select(['source_key', 'local_id'])
      .where('realm_id', '=', tx.realmId)
      .where('item_kind', '=', kind)
      .where(tx.dialect.anyOfText('source_key', chunk))
      .execute();
    for (const { source_key, local_id } of rows) found.set(source_key, local_id);
  }
  return found;
}

/** Records that items were imported. */
export async function insertItems(
  tx: RealmWriteTx,
  kind: ItemKind,
  items: readonly (readonly [key: string, id: number])[],
): Promise<void> {
  for (const chunk of inChunks(items, CHUNK))
    await tx.db
      .insertInto('import_item')
      .values(chunk.map(([source_key, local_id]) => ({ realm_id: tx.realmId, item_kind: kind, source_key, local_id })))
      .execute();
}
