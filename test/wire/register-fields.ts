import { citedText, namesInTables } from '../support/protocol.ts';

/** Present whatever is fetched. See protocol/register#always, and the envelope. */
export const ALWAYS = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'idle_queue_timeout_secs',
  'zulip_version',
  'zulip_feature_level',
  'zulip_merge_base',
];

/** Limits, permissions and constants that `realm` brings, which other pages name. */
const MORE_OF_REALM = `
  max_avatar_file_size_mib max_bulk_new_subscription_messages max_channel_folder_description_length
  max_channel_folder_name_length max_file_upload_size_mib max_icon_file_size_mib max_logo_file_size_mib
  max_message_length max_reminder_note_length max_stream_description_length max_stream_name_length
  max_topic_length realm_can_access_all_users_group realm_can_add_custom_emoji_group
  realm_can_add_subscribers_group realm_can_create_bots_group realm_can_create_groups
  realm_can_create_private_channel_group realm_can_create_public_channel_group
  realm_can_create_web_public_channel_group realm_can_create_write_only_bots_group
  realm_can_delete_any_message_group realm_can_delete_own_message_group realm_can_invite_users_group
  realm_can_manage_all_groups realm_can_manage_billing_group realm_can_mention_many_users_group
  realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
  realm_can_resolve_topics_group realm_can_set_delete_message_policy_group realm_can_set_topics_policy_group
  realm_can_summarize_topics_group realm_create_multiuse_invite_group realm_direct_message_initiator_group
  realm_direct_message_permission_group realm_workplace_users_group upgrade_text_for_wide_organization_logo
  zulip_plan_is_not_limited
`;

/** What `realm` brings, by the tables of the protocol. */
const REALM = [
  ...namesInTables(citedText('protocol/organizations#fields')).map((name) => `realm_${name}`),
  ...namesInTables(citedText('protocol/organizations#server-facts')),
  ...words(MORE_OF_REALM),
];

/** What `realm_user` brings. See protocol/register#people. */
const PEOPLE = `
  avatar_source avatar_url avatar_url_medium can_create_private_streams can_create_public_streams
  can_create_streams can_create_web_public_streams can_invite_others_to_realm can_subscribe_other_users
  cross_realm_bots delivery_email email full_name is_admin is_guest is_moderator is_owner realm_non_active_users
  realm_users user_id
`;

/** The words of `fetch_event_types` and the fields each brings. See protocol/register#state-by-type. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  alert_words: ['alert_words'],
  bot_commands: ['bot_commands'],
  channel_folders: ['channel_folders'],
  custom_profile_fields: ['custom_profile_fields', 'custom_profile_field_types'],
  default_stream_groups: ['realm_default_stream_groups'],
  default_streams: ['realm_default_streams'],
  device: ['devices'],
  drafts: ['drafts'],
  giphy: ['giphy_api_key'],
  klipy: ['klipy_api_key'],
  message: ['max_message_id'],
  'message update_message_flags': ['max_message_id', 'unread_msgs'],
  muted_topics: ['muted_topics'],
  muted_users: ['muted_users'],
  navigation_views: ['navigation_views'],
  onboarding_steps: ['onboarding_steps', 'navigation_tour_video_url'],
  presence: ['presences', 'presence_last_update_id', 'server_timestamp'],
  realm: REALM,
  realm_billing: ['realm_billing'],
  realm_bot: ['realm_bots'],
  realm_domains: ['realm_domains'],
  realm_embedded_bots: ['realm_embedded_bots'],
  realm_emoji: ['realm_emoji'],
  realm_filters: ['realm_filters'],
  realm_incoming_webhook_bots: ['realm_incoming_webhook_bots'],
  realm_linkifiers: ['realm_linkifiers'],
  realm_playgrounds: ['realm_playgrounds'],
  realm_user: words(PEOPLE),
  realm_user_groups: ['realm_user_groups'],
  realm_user_settings_defaults: ['realm_user_settings_defaults'],
  recent_private_conversations: ['recent_private_conversations'],
  reminders: ['reminders'],
  saved_snippets: ['saved_snippets'],
  scheduled_messages: ['scheduled_messages'],
  starred_messages: ['starred_messages'],
  stop_words: ['stop_words'],
  stream: ['streams'],
  subscription: ['subscriptions', 'unsubscribed', 'never_subscribed'],
  tenor: ['tenor_api_key'],
  user_settings: ['user_settings'],
  user_status: ['user_status'],
  user_topic: ['user_topics'],
  video_calls: ['has_zoom_token'],
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
