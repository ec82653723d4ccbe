import type { RealmId } from '#kernel/ids';
import type { WebsitePreview } from '#kernel/markdown';
import { col, type RowOf, table } from '#kernel/store';

/** Previews of pages, as of the last time they were fetched. */
export const websitePreview = table('website_preview', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256 of the address, in hex. */
  url_hash: col.text(),
  fetched_at: col.int(),
  /** Null for a page without a preview, or one that could not be fetched. */
  page: col.jsonOrNull<WebsitePreview>(),
});

declare module '#kernel/store' {
  interface Tables {
    website_preview: RowOf<typeof websitePreview>;
  }
}
