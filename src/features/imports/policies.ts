import type { SystemGroupName } from '#kernel/permissions';
import type { Entry } from './entry.ts';

type Numbers = Readonly<Record<number, SystemGroupName>>;

const ANY: Numbers = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
};
const WILDCARD: Numbers = {
  1: 'role:everyone',
  2: 'role:members',
  3: 'role:fullmembers',
  5: 'role:administrators',
  6: 'role:nobody',
  7: 'role:moderators',
};
const POSTING: Numbers = { 1: 'role:everyone', 2: 'role:administrators', 3: 'role:fullmembers', 4: 'role:moderators' };
/** Who was no moderator changed only groups they were in. */
const ALL_GROUPS: Numbers = {
  1: 'role:moderators',
  2: 'role:administrators',
  3: 'role:moderators',
  4: 'role:moderators',
};
const DIRECT: Numbers = { 1: 'role:everyone', 2: 'role:nobody' };
const BOTS: Numbers = { 1: 'role:members', 2: 'role:administrators', 3: 'role:administrators' };
const WRITE_ONLY_BOTS: Numbers = { 1: 'role:members', 2: 'role:members', 3: 'role:administrators' };

/** The numbers by which older releases said who has a permission, by its name now. See protocol/organizations#older-releases. */
const POLICIES: Readonly<Record<string, readonly [column: string, numbers: Numbers]>> = {
  can_add_custom_emoji_group: ['add_custom_emoji_policy', ANY],
  can_add_subscribers_group: ['invite_to_stream_policy', ANY],
  can_create_bots_group: ['bot_creation_policy', BOTS],
  can_create_groups: ['user_group_edit_policy', ANY],
  can_create_private_channel_group: ['create_private_stream_policy', ANY],
  can_create_public_channel_group: ['create_public_stream_policy', ANY],
  can_create_web_public_channel_group: ['create_web_public_stream_policy', ANY],
  can_create_write_only_bots_group: ['bot_creation_policy', WRITE_ONLY_BOTS],
  can_delete_own_message_group: ['delete_own_message_policy', ANY],
  can_invite_users_group: ['invite_to_realm_policy', ANY],
  can_manage_all_groups: ['user_group_edit_policy', ALL_GROUPS],
  can_mention_many_users_group: ['wildcard_mention_policy', WILDCARD],
  can_move_messages_between_channels_group: ['move_messages_between_streams_policy', ANY],
  can_move_messages_between_topics_group: ['edit_topic_policy', ANY],
  can_resolve_topics_group: ['edit_topic_policy', ANY],
  can_send_message_group: ['stream_post_policy', POSTING],
  direct_message_permission_group: ['private_message_policy', DIRECT],
};

/** Who has a permission by the number of an older release; undefined if there is none or it is unknown. */
export function groupByPolicy(row: Entry, name: string): SystemGroupName | undefined {
  const [column, numbers] = POLICIES[name] ?? [];
  return column !== undefined && row.has(column) ? numbers?.[row.int(column, 0)] : undefined;
}

/** The former names of settings, by their names now. */
const FORMER: Readonly<Record<string, string>> = {
  gif_rating_policy: 'giphy_rating',
  new_stream_announcements_stream: 'notifications_stream',
  signup_announcements_stream: 'signup_notifications_stream',
  web_escape_navigates_to_home_view: 'escape_navigates_to_default_view',
  web_home_view: 'default_view',
};

/** Columns of older releases that are read where today's are missing. */
export const OLDER_NAMES: readonly string[] = [
  'mandatory_topics',
  ...Object.values(POLICIES).map(([column]) => column),
  ...Object.values(FORMER),
];

/** The name that a row has for a setting, its own or the former one. */
export function nameIn(row: Entry, name: string): string {
  const former = FORMER[name];
  return former !== undefined && !row.has(name) && !row.has(`${name}_id`) ? former : name;
}
