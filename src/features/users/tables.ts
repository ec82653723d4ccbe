import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** People and bots. */
export const user = table('user', {
  id: col.id<UserId>(),
  realm_id: col.ref<RealmId>(),
  /** The real (delivery) address as entered, and folded for comparison. */
  email: col.text(),
  email_key: col.text(),
  full_name: col.text(),
  role: col.int(),
  /** The role before the last change, and the log position of that change. */
  previous_role: col.int(),
  role_event_id: col.int(),
  is_bot: col.bool(),
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people. */
  bot_type: col.intOrNull(),
  bot_owner_id: col.refOrNull<UserId>(),
  /** System bots, in whose name the server sends messages (Notification Bot); not among the organization's users. */
  is_system_bot: col.bool(),
  is_active: col.bool(),
  /** The profile was wiped at deactivation. */
  is_deleted: col.bool(),
  date_joined: col.int(),
  timezone: col.text(),
  /** G gravatar, J generated, U uploaded. */
  avatar_source: col.text<'G' | 'J' | 'U'>(),
  avatar_version: col.int(),
  /** Name of the uploaded picture's file; null if there is none. */
  avatar_file: col.textOrNull(),
  /** Who sees the real address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  email_address_visibility: col.int(),
  api_key_version: col.int(),
  /** Whether the server's operator lets this administrator create accounts and change addresses. */
  may_manage_accounts: col.bool(),
  /** Personal settings that differ from their defaults. */
  user_settings: col.json<Readonly<Record<string, unknown>>>(),
  /** Seconds since 1970 of the last activity, accurate to the day. */
  last_active_at: col.int(),
});
export type UserRow = SelectOf<typeof user>;

/** Columns that the lists of all accounts show. */
export const LISTED = [
  'id',
  'realm_id',
  'email',
  'full_name',
  'role',
  'is_bot',
  'bot_type',
  'bot_owner_id',
  'is_system_bot',
  'is_active',
  'is_deleted',
  'date_joined',
  'timezone',
  'avatar_source',
  'avatar_version',
  'avatar_file',
  'email_address_visibility',
] as const satisfies readonly (keyof UserRow)[];
export type ListedRow = Pick<UserRow, (typeof LISTED)[number]>;

declare module '#kernel/store' {
  interface Tables {
    user: RowOf<typeof user>;
  }
}
