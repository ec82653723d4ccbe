import type { RealmId } from '#kernel/ids';
import type { WebsitePreview } from '#kernel/markdown';
import { col, type RowOf, table } from '#kernel/store';

/** What pages said of themselves when they were looked at last. */
export const websitePreview = table('website_preview', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256 of the address, in hex. */
  url_hash: col.text(),
  fetched_at: col.int(),
  /** Null for a page that shows nothing, or could not be had. */
  page: col.jsonOrNull<WebsitePreview>(),
});

declare module '#kernel/store' {
  interface Tables {
    website_preview: RowOf<typeof websitePreview>;
  }
}
