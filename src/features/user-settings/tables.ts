import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';
import type { DefaultedSettings } from './settings.ts';

/** What an organization gives its new users in place of the server's defaults. */
export const realmUserDefault = table('realm_user_default', {
  realm_id: col.ref<RealmId>(),
  /** Settings that differ from the server's defaults. */
  settings: col.json<Partial<DefaultedSettings>>(),
});

declare module '#kernel/store' {
  interface Tables {
    realm_user_default: RowOf<typeof realmUserDefault>;
  }
}
