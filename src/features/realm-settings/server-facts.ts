import { CHANNEL_SETTINGS, GROUP_SETTINGS } from '#features/groups';
import { REALM_GROUP_SETTINGS, type RealmSettings } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { THUMBNAIL_FORMATS } from '#kernel/images';
import type { GroupSetting, SettingScope } from '#kernel/permissions';
import { EMOJI_DATA_PATH } from './emoji-data.ts';

/** Fewest days until the data of a deactivated organization may be deleted. See protocol/organizations#server-facts. */
export const MIN_DELETION_DAYS = 14;

/** Default server of calls. */
const JITSI_URL = 'https://meet.jit.si';

/**
 * Facts about the server for every client, mostly the same for all organizations. See
 * protocol/organizations#server-facts.
 */
export function serverFacts(
  context: ReadContext,
  realm: RealmRef,
  settings: RealmSettings,
): Readonly<Record<string, unknown>> {
  return {
    ...LIMITS,
    password_min_length: settings.password_min_length,
    password_min_guesses: settings.password_min_guesses,
    max_file_upload_size_mib: context.server.maxUploadMib,
    // With the host: the phone app fetches the address as it is, and has no emoji if that fails.
    server_emoji_data_url: realm.url + EMOJI_DATA_PATH,
    server_generation: context.server.generation,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: context.server.webPublicChannels,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: true,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_thumbnail_formats: THUMBNAIL_FORMATS,
    server_jitsi_server_url: JITSI_URL,
    jitsi_server_url: settings.jitsi_server_url ?? JITSI_URL,
    server_can_summarize_topics: false,
    server_min_deactivated_realm_deletion_days: MIN_DELETION_DAYS,
    server_max_deactivated_realm_deletion_days: null,
    server_report_message_types: REPORT_REASONS.map((key) => ({ key, name: REPORT_NAMES[key] })),
    server_supported_permission_settings: PERMISSIONS,
    settings_send_digest_emails: false,
    gif_rating_policy_options: GIF_RATINGS,
    development_environment: context.server.mode === 'development',
  };
}

/** Limits: lengths in code points, sizes in MiB, times as their names say. See protocol/organizations#server-facts. */
export const LIMITS = {
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_topic_length: 60,
  max_message_length: 10_000,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: 8,
  password_max_length: 100,
  password_min_guesses: 10_000,
  event_queue_longpoll_timeout_seconds: 90,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_expiry_period_milliseconds: 45_000,
};

/** Reasons for reporting a message. See protocol/organizations#server-facts. */
export const REPORT_REASONS = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** Names of the reasons for people. */
export const REPORT_NAMES: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
};

const GIF_RATINGS = {
  disabled: { name: 'Disabled', id: 0 },
  g: { name: 'Rated G', id: 1 },
  pg: { name: 'Rated PG', id: 2 },
  'pg-13': { name: 'Rated PG-13', id: 3 },
  r: { name: 'Rated R', id: 4 },
};

const ALL_SETTINGS: readonly GroupSetting[] = [...REALM_GROUP_SETTINGS, ...CHANNEL_SETTINGS, ...GROUP_SETTINGS];

function permissionsOn(scope: SettingScope) {
  const settings = ALL_SETTINGS.filter((setting) => setting.scope === scope);
  return Object.fromEntries(settings.map((setting) => [setting.name, toWirePermission(setting)]));
}

function toWirePermission(setting: GroupSetting) {
  return {
    require_system_group: setting.requiresSystemGroup,
    allow_internet_group: false,
    allow_nobody_group: setting.allowsNobody,
    allow_everyone_group: setting.allowsEveryone,
    default_group_name: setting.default,
    default_for_system_groups: setting.scope === 'group' ? 'role:nobody' : null,
    allowed_system_groups: setting.allowedSystemGroups,
  };
}

const PERMISSIONS = { realm: permissionsOn('realm'), stream: permissionsOn('stream'), group: permissionsOn('group') };

/** The services for calls on this server, by the key that clients use. See protocol/organizations#calls. */
export function callProviders({ calls }: Pick<ReadContext, 'calls'>) {
  return {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    ...(calls.zoom && !calls.zoom.account && { zoom: { name: 'Zoom', id: 3 } }),
    ...(calls.bigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: 4 } }),
    ...(calls.zoom?.account && { zoom_server_to_server: { name: 'Zoom', id: 5 } }),
    ...(calls.constructorGroups && { constructor_groups: { name: 'Constructor Groups', id: 6 } }),
    ...(calls.nextcloudTalk && { nextcloud_talk: { name: 'Nextcloud Talk', id: 7 } }),
  };
}
