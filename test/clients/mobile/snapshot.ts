import {
  bool,
  dict,
  int,
  lenientObject,
  list,
  maybe,
  nullable,
  oneOf,
  oneOfNumbers,
  refined,
  str,
} from '#kernel/schema';
import {
  byNumber,
  channel,
  customEmoji,
  folder,
  groupSetting,
  mutedUser,
  profileField,
  snippet,
  sortedIds,
  subscription,
  user,
  userGroup,
  userTopic,
} from './shapes.ts';

/** How the app registers. See protocol/clients#registering. */
export const REGISTERING = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  // The app encodes every text as JSON here, with its quotes.
  idle_queue_timeout: '"mobile"',
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
};

const unreads = lenientObject({
  count: int(),
  pms: list(lenientObject({ other_user_id: int(), unread_message_ids: sortedIds })),
  streams: list(lenientObject({ topic: str(), stream_id: int(), unread_message_ids: sortedIds })),
  huddles: list(lenientObject({ user_ids_string: str(), unread_message_ids: sortedIds })),
  mentions: list(int()),
  old_unreads_missing: bool(),
});

const settings = lenientObject({
  twenty_four_hour_time: nullable(bool()),
  starred_message_counts: bool(),
  display_emoji_reaction_users: bool(),
  web_inbox_show_channel_folders: bool(),
  emojiset: str(),
  presence_enabled: bool(),
});

const status = lenientObject({
  status_text: maybe(str()),
  emoji_name: maybe(str()),
  emoji_code: maybe(str()),
  reaction_type: maybe(str()),
});

const device = lenientObject({
  push_key_id: nullable(int()),
  push_token_id: nullable(str()),
  pending_push_token_id: nullable(str()),
  push_token_last_updated_timestamp: nullable(int()),
  push_registration_error_code: nullable(str()),
});

/** What the app must find when it registers. See protocol/clients#registering. */
export const snapshot = lenientObject({
  queue_id: str(),
  last_event_id: int(),
  zulip_feature_level: int({ min: 371 }),
  zulip_version: refined(str(), (version) => /^\d+\.\d+/.test(version), 'not a version'),
  zulip_merge_base: str(),
  alert_words: list(str()),
  custom_profile_fields: list(profileField),
  max_stream_name_length: int(),
  max_topic_length: int(),
  server_presence_ping_interval_seconds: int(),
  server_presence_offline_threshold_seconds: int(),
  server_typing_started_expiry_period_milliseconds: int(),
  server_typing_stopped_wait_period_milliseconds: int(),
  server_typing_started_wait_period_milliseconds: int(),
  muted_users: list(mutedUser),
  presences: byNumber(lenientObject({ active_timestamp: int(), idle_timestamp: int() })),
  realm_emoji: byNumber(customEmoji),
  realm_user_groups: list(userGroup),
  recent_private_conversations: list(lenientObject({ max_message_id: int(), user_ids: list(int()) })),
  subscriptions: list(subscription),
  unsubscribed: list(subscription),
  never_subscribed: list(channel),
  streams: list(channel),
  unread_msgs: unreads,
  starred_messages: list(int()),
  user_status: byNumber(status),
  user_settings: settings,
  user_topics: list(userTopic),
  realm_can_delete_any_message_group: groupSetting,
  realm_can_delete_own_message_group: groupSetting,
  realm_message_content_delete_limit_seconds: nullable(int()),
  realm_delete_own_message_policy: maybe(oneOfNumbers(1, 2, 3, 4, 5)),
  realm_topics_policy: oneOf('allow_empty_topic', 'disable_empty_topic'),
  realm_mandatory_topics: maybe(bool()),
  realm_moderation_request_channel_id: nullable(int()),
  realm_empty_topic_display_name: str(),
  realm_wildcard_mention_policy: oneOfNumbers(1, 2, 3, 5, 6, 7),
  realm_name: str(),
  realm_waiting_period_threshold: int(),
  realm_allow_message_editing: bool(),
  realm_message_content_edit_limit_seconds: nullable(int()),
  realm_enable_read_receipts: bool(),
  realm_icon_url: str(),
  realm_presence_disabled: bool(),
  realm_default_external_accounts: dict(lenientObject({ name: str(), text: str(), hint: str(), url_pattern: str() })),
  max_file_upload_size_mib: int(),
  server_thumbnail_formats: list(
    lenientObject({ name: str(), max_width: int(), max_height: int(), animated: bool(), format: str() }),
  ),
  // Fetched as it is: the only address that the app does not resolve.
  server_emoji_data_url: refined(str(), (address) => URL.canParse(address), 'not an address with a host'),
  event_queue_longpoll_timeout_seconds: int(),
  realm_users: list(user),
  realm_non_active_users: list(user),
  cross_realm_bots: list(user),
  saved_snippets: maybe(list(snippet)),
  channel_folders: maybe(list(folder)),
  devices: maybe(byNumber(device)),
  server_report_message_types: maybe(list(lenientObject({ key: str(), name: str() }))),
});
