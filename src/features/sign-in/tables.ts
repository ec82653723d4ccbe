import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Password hashes (Argon2id); people without a row cannot sign in with one. */
export const userPassword = table('user_password', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  password_hash: col.text(),
  changed_at: col.int(),
});

/**
 * Links that work once: to a new password, to a new address, from there back to the old one, or to a new organization (whose
 * realm is 0). The token is not stored.
 */
export const oneTimeLink = table('one_time_link', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.refOrNull<UserId>(),
  purpose: col.text<'reset' | 'organization' | 'email' | 'email-stop'>(),
  /** The address that the link confirms or keeps, where it does. */
  address: col.textOrNull(),
  expires_at: col.int(),
});
export type OneTimeLinkRow = SelectOf<typeof oneTimeLink>;

declare module '#kernel/store' {
  interface Tables {
    user_password: RowOf<typeof userPassword>;
    one_time_link: RowOf<typeof oneTimeLink>;
  }
}
