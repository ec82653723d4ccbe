import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** What of other products' archives has come into an organization. */
export const importItems = defineMigration('2026-11-22T2340-import-items', async (m) => {
  await m.createTable(
    'import_item',
    { realm_id: int, item_kind: text, source_key: text, local_id: int },
    { primaryKey: ['realm_id', 'item_kind', 'source_key'] },
  );
});
