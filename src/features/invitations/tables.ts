import type { ChannelId, GroupId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/**
 * Invitations of every kind. `email`: to one address; `link`: for whoever holds it, as often as they like;
 * `confirmation`: an address that came by a link (`parent_id`), or of its own accord, and must be shown to be its owner's.
 * Always moves from `pending` to `used` or `revoked` and never back.
 */
export const invitation = table('invitation', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  invitation_kind: col.text<'email' | 'link' | 'confirmation'>(),
  invitation_state: col.text<'pending' | 'used' | 'revoked'>(),
  parent_id: col.refOrNull<number>(),
  email: col.textOrNull(),
  email_key: col.textOrNull(),
  /** Null where somebody came of their own accord. */
  inviter_id: col.refOrNull<UserId>(),
  invited_as: col.int(),
  channel_ids: col.json<readonly ChannelId[]>(),
  group_ids: col.json<readonly GroupId[]>(),
  includes_defaults: col.bool(),
  notifies_referrer: col.bool(),
  /** Null: the organization's own text; empty: none. At most 8000 code points. */
  welcome_text: col.textOrNull(),
  /** The key is derived from it and the server secret, so that the database alone opens nothing. */
  key_seed: col.text(),
  key_hash: col.text(),
  created_at: col.int(),
  /** Seconds since 1970; null: never. */
  expires_at: col.intOrNull(),
});
export type InvitationRow = SelectOf<typeof invitation>;

/** Mails with invitations that an organization has sent, by UTC day (days since 1970). */
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
