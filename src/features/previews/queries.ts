import type { WebsitePreview } from '#kernel/markdown';
import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';

/** Stored previews by address; null if a page has none. */
export type Pages = ReadonlyMap<string, WebsitePreview | null>;

/** Finds the previews of pages that were fetched since a time. */
export async function findPages(
  tx: RealmReadTx,
  urls: readonly string[],
  since: number,
): Promise<Map<string, WebsitePreview | null>> {
  if (urls.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('website_preview')
    .select(['url_hash', 'page'])
    .where('realm_id', '=', tx.realmId)
    .where(
      tx.dialect.anyOfText(
        'url_hash',
        urls.map((url) => sha256(url)),
      ),
    )
    .where('fetched_at', '>=', since)
    .execute();
  const byHash = new Map(rows.map((row) => [row.url_hash, row.page]));
  return new Map(
    urls.flatMap((url) => {
      const page = byHash.get(sha256(url));
      return page === undefined ? [] : [[url, page] as const];
    }),
  );
}

/** Stores previews, and deletes those older than `since`. */
export async function savePages(tx: RealmWriteTx, pages: Pages, since: number): Promise<void> {
  await tx.db
    .deleteFrom('website_preview')
    .where('realm_id', '=', tx.realmId)
    .where('fetched_at', '<', since)
    .execute();
  if (pages.size === 0) return;
  const rows = [...pages].map(([url, page]) => ({
    realm_id: tx.realmId,
    url_hash: sha256(url),
    fetched_at: tx.now,
    page: page && JSON.stringify(page),
  }));
  await tx.db
    .insertInto('website_preview')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'url_hash']).doUpdateSet((set) => ({
        fetched_at: set.ref('excluded.fetched_at'),
        page: set.ref('excluded.page'),
      })),
    )
    .execute();
}
