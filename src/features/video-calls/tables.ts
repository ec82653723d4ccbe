import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Zoom accounts that people have connected, at most one each. */
export const zoomGrant = table('zoom_grant', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  /** Tokens of the account, encrypted with the server's secret. */
  sealed: col.text(),
});

declare module '#kernel/store' {
  interface Tables {
    zoom_grant: RowOf<typeof zoomGrant>;
  }
}
