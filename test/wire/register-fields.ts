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

/** What `realm` brings. See protocol/organizations#fields and protocol/organizations#server-facts. */
const REALM = `
  development_environment event_queue_longpoll_timeout_seconds gif_rating_policy_options jitsi_server_url
  max_avatar_file_size_mib max_bulk_new_subscription_messages max_channel_folder_description_length
  max_channel_folder_name_length max_file_upload_size_mib max_icon_file_size_mib max_logo_file_size_mib
  max_message_length max_reminder_note_length max_stream_description_length max_stream_name_length
  max_topic_length password_max_length password_min_guesses password_min_length realm_allow_edit_history
  realm_allow_message_editing realm_authentication_methods realm_available_video_chat_providers
  realm_avatar_changes_disabled realm_bot_domain realm_can_access_all_users_group
  realm_can_add_custom_emoji_group realm_can_add_subscribers_group realm_can_create_bots_group
  realm_can_create_groups realm_can_create_private_channel_group realm_can_create_public_channel_group
  realm_can_create_web_public_channel_group realm_can_create_write_only_bots_group
  realm_can_delete_any_message_group realm_can_delete_own_message_group realm_can_invite_users_group
  realm_can_manage_all_groups realm_can_manage_billing_group realm_can_mention_many_users_group
  realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
  realm_can_resolve_topics_group realm_can_set_delete_message_policy_group realm_can_set_topics_policy_group
  realm_can_summarize_topics_group realm_create_multiuse_invite_group realm_create_private_stream_policy
  realm_create_public_stream_policy realm_create_web_public_stream_policy realm_date_created
  realm_default_avatar_source realm_default_code_block_language realm_default_external_accounts
  realm_default_language realm_description realm_digest_emails_enabled realm_digest_weekday
  realm_direct_message_initiator_group realm_direct_message_permission_group
  realm_disallow_disposable_email_addresses realm_email_auth_enabled realm_email_changes_disabled
  realm_emails_restricted_to_domains realm_empty_topic_display_name realm_enable_guest_user_dm_warning
  realm_enable_guest_user_indicator realm_enable_read_receipts realm_enable_spectator_access
  realm_gif_rating_policy realm_icon_source realm_icon_url realm_inline_image_preview
  realm_inline_url_embed_preview realm_invite_required realm_jitsi_server_url realm_logo_source realm_logo_url
  realm_mandatory_topics realm_media_preview_size realm_message_content_allowed_in_email_notifications
  realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
  realm_message_edit_history_visibility_policy realm_message_retention_days realm_moderation_request_channel_id
  realm_move_messages_between_streams_limit_seconds realm_move_messages_within_stream_limit_seconds realm_name
  realm_name_changes_disabled realm_new_stream_announcements_stream_id realm_night_logo_source
  realm_night_logo_url realm_org_type realm_owner_full_content_access realm_password_auth_enabled
  realm_plan_type realm_presence_disabled realm_push_notifications_enabled
  realm_push_notifications_enabled_end_timestamp realm_require_e2ee_push_notifications
  realm_require_unique_names realm_second_factor_grace_days realm_second_factor_required_role
  realm_second_factor_required_since realm_send_channel_events_messages realm_send_welcome_emails
  realm_signup_announcements_stream_id realm_topics_policy realm_upload_quota_mib realm_uri realm_url realm_uuid
  realm_video_chat_provider realm_waiting_period_threshold realm_want_advertise_in_communities_directory
  realm_welcome_message_custom_text realm_wildcard_mention_policy realm_workplace_users_group
  realm_zulip_update_announcements_stream_id server_avatar_changes_disabled server_can_summarize_topics
  server_emoji_data_url server_generation server_inline_image_preview server_inline_url_embed_preview
  server_jitsi_server_url server_max_deactivated_realm_deletion_days server_min_deactivated_realm_deletion_days
  server_name_changes_disabled server_needs_upgrade server_presence_offline_threshold_seconds
  server_presence_ping_interval_seconds server_report_message_types server_supported_permission_settings
  server_thumbnail_formats server_typing_started_expiry_period_milliseconds
  server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds
  server_web_public_streams_enabled settings_send_digest_emails upgrade_text_for_wide_organization_logo
  zulip_plan_is_not_limited
`;

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
  realm: words(REALM),
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
