import { SECONDS_PER_DAY } from '#kernel/clock';
import {
  bool,
  defaultsOf,
  int,
  matching,
  nullable,
  oneOf,
  oneOfNumbers,
  type Schema,
  type SchemaOf,
  text,
} from '#kernel/schema';

/** Longest time for which notifications by mail are gathered, in seconds. See protocol/settings#settings. */
export const MAX_BATCHING_SECONDS = 7 * SECONDS_PER_DAY;

interface UserSetting<T> {
  readonly schema: Schema<T>;
  readonly default: T;
}

const setting = <T>(schema: Schema<T>, byDefault: NoInfer<T>): UserSetting<T> => ({ schema, default: byDefault });
const flag = (byDefault: boolean) => setting<boolean>(bool(), byDefault);
const kind = <const N extends number>(numbers: readonly N[], byDefault: NoInfer<N>) =>
  setting<N>(oneOfNumbers(...numbers), byDefault);

/** Personal settings for which the organization can set defaults. See protocol/settings#settings. */
export const DEFAULTED_SETTINGS = {
  allow_private_data_export: flag(false),
  automatically_follow_topics_policy: kind([1, 2, 3, 4], 3),
  automatically_follow_topics_where_mentioned: flag(true),
  automatically_unmute_topics_in_muted_streams_policy: kind([1, 2, 3, 4], 2),
  color_scheme: kind([1, 2, 3], 1),
  default_language: setting(text({ max: 200 }), 'en'),
  demote_inactive_streams: kind([1, 2, 3], 1),
  desktop_icon_count_display: kind([1, 2, 3, 4], 1),
  display_emoji_reaction_users: flag(true),
  email_address_visibility: kind([1, 2, 3, 4, 5], 1),
  /** Seconds; 1 to 604,800. */
  email_notifications_batching_period_seconds: setting(int(), 120),
  emojiset: setting(oneOf('google', 'twitter', 'text'), 'google'),
  enable_desktop_notifications: flag(true),
  enable_digest_emails: flag(true),
  enable_drafts_synchronization: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  enable_login_emails: flag(true),
  enable_marketing_emails: flag(true),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_sounds: flag(true),
  enable_stream_audible_notifications: flag(false),
  enable_stream_desktop_notifications: flag(false),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  enter_sends: flag(false),
  fluid_layout_width: flag(false),
  hide_ai_features: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  message_content_in_email_notifications: flag(true),
  notification_sound: setting(text({ max: 200 }), 'zulip'),
  pm_content_in_desktop_notifications: flag(true),
  presence_enabled: flag(true),
  /** Hours of the day in the person's time zone, like `22:00-07:00`; empty: none. */
  quiet_hours: setting(matching(/^(?:(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d)?$/, { max: 11 }), ''),
  realm_name_in_email_notifications_policy: kind([1, 2, 3], 1),
  receives_typing_notifications: flag(true),
  resolved_topic_notice_auto_read_policy: setting(oneOf('always', 'except_followed', 'never'), 'except_followed'),
  send_private_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  send_stream_typing_notifications: flag(true),
  starred_message_counts: flag(true),
  translate_emoticons: flag(false),
  /** Null: as is usual in the reader's language. */
  twenty_four_hour_time: setting<boolean | null>(nullable(bool()), false),
  user_list_style: kind([1, 2, 3], 3),
  web_animate_image_previews: setting(oneOf('always', 'on_hover', 'never'), 'on_hover'),
  web_channel_default_view: kind([1, 2, 3, 4], 1),
  web_escape_navigates_to_home_view: flag(true),
  /** Pixels. */
  web_font_size_px: setting(int({ min: 12, max: 20 }), 16),
  web_home_view: setting(oneOf('recent', 'recent_topics', 'inbox', 'all_messages'), 'inbox'),
  web_inbox_show_channel_folders: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  /** Percent of the font size. */
  web_line_height_percent: setting(int({ min: 122, max: 158 }), 140),
  web_mark_read_on_scroll_policy: kind([1, 2, 3], 1),
  web_navigate_to_sent_message: flag(true),
  web_stream_unreads_count_display_policy: kind([1, 2, 3], 2),
  web_suggest_update_timezone: flag(true),
  wildcard_mentions_notify: flag(true),
} as const;

/** All personal settings. */
export const USER_SETTINGS = {
  ...DEFAULTED_SETTINGS,
  /** An IANA name, or empty. */
  timezone: setting(text({ max: 200 }), ''),
} as const;

/** Name of a personal setting. */
export type UserSettingName = keyof typeof USER_SETTINGS;
/** Values of all personal settings. */
export type UserSettings = { readonly [K in UserSettingName]: SchemaOf<(typeof USER_SETTINGS)[K]['schema']> };
/** Values of the settings for which the organization can set defaults. */
export type DefaultedSettings = Omit<UserSettings, 'timezone'>;

/** The server's defaults of the settings. */
export const USER_SETTING_DEFAULTS = defaultsOf(USER_SETTINGS);

/** Sounds that the clients contain, by name. */
export const NOTIFICATION_SOUNDS: readonly string[] = ['ding', 'zulip'];

/** Sets of emoji pictures. */
export const EMOJISETS = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
];
