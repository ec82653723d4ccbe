import type { ChannelId, GroupId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/**
 * Invitations of three kinds. `email`: for one address; `link`: reusable; `confirmation`: verifies an address that was
 * entered on the page of a link (`parent_id`) or of the sign-up form. The state changes from `pending` to `used` or
 * `revoked`, and never back.
 */
export const invitation = table('invitation', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  invitation_kind: col.text<'email' | 'link' | 'confirmation'>(),
  invitation_state: col.text<'pending' | 'used' | 'revoked'>(),
  parent_id: col.refOrNull<number>(),
  email: col.textOrNull(),
  email_key: col.textOrNull(),
  /** Null for a sign-up without an invitation. */
  inviter_id: col.refOrNull<UserId>(),
  invited_as: col.int(),
  channel_ids: col.json<readonly ChannelId[]>(),
  group_ids: col.json<readonly GroupId[]>(),
  includes_defaults: col.bool(),
  notifies_referrer: col.bool(),
  /** Null for the organization's own text, empty for none. At most 8000 code points. */
  welcome_text: col.textOrNull(),
  /** The key is derived from the seed and the server secret, so that the database alone does not reveal it. */
  key_seed: col.text(),
  key_hash: col.text(),
  created_at: col.int(),
  /** Seconds since 1970; null for never. */
  expires_at: col.intOrNull(),
});
export type InvitationRow = SelectOf<typeof invitation>;

/** How many invitation mails an organization has sent per UTC day (in days since 1970). */
export const invitationDay = table('invitation_day', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  invitation_day: col.int(),
  mail_count: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    invitation: RowOf<typeof invitation>;
    invitation_day: RowOf<typeof invitationDay>;
  }
}
