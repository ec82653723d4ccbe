/** The settings that pages show in a loop, by the names that the API and the keys of their labels share. */

/** Kinds of messages that notify, in the order of the rows. */
export const NOTIFYING = ['personal', 'followed', 'channels'] as const;

export const NOTIFICATION_FLAGS = [
  'wildcard_mentions_notify',
  'enable_followed_topic_wildcard_mentions_notify',
  'pm_content_in_desktop_notifications',
  'enable_online_push_notifications',
  'message_content_in_email_notifications',
  'enable_login_emails',
  'enable_digest_emails',
] as const;

/** What others learn of the reader, but for read receipts, which the organization may turn off. */
export const PRIVACY_FLAGS = [
  'presence_enabled',
  'send_private_typing_notifications',
  'send_stream_typing_notifications',
] as const;

/** How long messages may be changed. */
export const MESSAGE_LIMITS = ['message_content_edit_limit_seconds', 'message_content_delete_limit_seconds'] as const;

export const MESSAGE_FLAGS = [
  'enable_read_receipts',
  'inline_image_preview',
  'inline_url_embed_preview',
  'send_channel_events_messages',
] as const;

/** Sections of the organization's permissions. */
export const PERMISSION_SECTIONS = [
  'joining',
  'channels',
  'groups',
  'talking',
  'topics',
  'messages',
  'additions',
] as const;

/** Pictures of the organization. */
export const PICTURES = ['icon', 'logo', 'nightLogo'] as const;
