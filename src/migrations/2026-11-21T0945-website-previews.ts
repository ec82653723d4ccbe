import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** What pages that messages link say of themselves. */
export const websitePreviews = defineMigration('2026-11-21T0945-website-previews', async (m) => {
  await m.createTable(
    'website_preview',
    { realm_id: int, url_hash: { type: 'text' }, fetched_at: int, page: { type: 'json', nullable: true } },
    { primaryKey: ['realm_id', 'url_hash'], indexes: [['realm_id', 'fetched_at']] },
  );
});
