import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';
import type { DefaultedSettings } from './settings.ts';

/** An organization's defaults for its new users. */
export const realmUserDefault = table('realm_user_default', {
  realm_id: col.ref<RealmId>(),
  /** Settings that differ from the server's defaults. */
  settings: col.json<Partial<DefaultedSettings>>(),
});

/** Settings that their users chose, which an administrator may want to leave unchanged. */
export const editedSetting = table('edited_setting', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  name: col.text(),
});

declare module '#kernel/store' {
  interface Tables {
    realm_user_default: RowOf<typeof realmUserDefault>;
    edited_setting: RowOf<typeof editedSetting>;
  }
}
