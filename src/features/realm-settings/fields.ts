import { groupSettingValue } from '#kernel/permissions';
import { bool, dict, int, json, list, maybe, nullable, object, type Schema, str } from '#kernel/schema';
import { REALM_GROUP_SETTINGS, REALM_SETTINGS } from '#features/realms';
import { LIMITS } from './server-facts.ts';

const {
  icon_version: _icon,
  logo_version: _logo,
  night_logo_version: _nightLogo,
  authentication_methods: _methods,
  ...PLAIN
} = REALM_SETTINGS;

const named = object({ name: str(), id: int() });
const prefixed = (schemas: Iterable<readonly [string, Schema]>): Record<string, Schema> =>
  Object.fromEntries([...schemas].map(([name, schema]) => [`realm_${name}`, schema]));

/** Fields that are no settings: facts about the organization and the server. */
export const realmFacts = {
  realm_icon_url: str(),
  realm_logo_url: str(),
  realm_night_logo_url: str(),
  realm_name: str(),
  realm_uuid: str(),
  realm_url: str(),
  realm_uri: str(),
  realm_bot_domain: str(),
  realm_date_created: int(),
  realm_plan_type: int(),
  realm_allow_edit_history: bool(),
  realm_authentication_methods: dict(object({ enabled: bool(), available: bool(), unavailable_reason: maybe(str()) })),
  realm_email_auth_enabled: bool(),
  realm_password_auth_enabled: bool(),
  realm_available_video_chat_providers: dict(named),
  realm_default_external_accounts: dict(object({ text: str(), name: str(), hint: str(), url_pattern: str() })),
  realm_empty_topic_display_name: str(),
  realm_mandatory_topics: bool(),
  realm_owner_full_content_access: bool(),
  realm_create_public_stream_policy: int(),
  realm_create_private_stream_policy: int(),
  realm_create_web_public_stream_policy: int(),
  realm_wildcard_mention_policy: int(),
  zulip_plan_is_not_limited: bool(),
  upgrade_text_for_wide_organization_logo: str(),
  max_file_upload_size_mib: int(),
  server_emoji_data_url: str(),
  server_generation: int(),
  server_needs_upgrade: bool(),
  server_web_public_streams_enabled: bool(),
  server_inline_image_preview: bool(),
  server_inline_url_embed_preview: bool(),
  server_avatar_changes_disabled: bool(),
  server_name_changes_disabled: bool(),
  server_thumbnail_formats: list(
    object({ name: str(), max_width: int(), max_height: int(), format: str(), animated: bool() }),
  ),
  server_jitsi_server_url: nullable(str()),
  jitsi_server_url: nullable(str()),
  server_can_summarize_topics: bool(),
  server_min_deactivated_realm_deletion_days: nullable(int()),
  server_max_deactivated_realm_deletion_days: nullable(int()),
  server_report_message_types: list(object({ key: str(), name: str() })),
  server_supported_permission_settings: dict(dict(dict(json()))),
  settings_send_digest_emails: bool(),
  gif_rating_policy_options: dict(named),
  development_environment: bool(),
};

/**
 * Schemas of all fields that `realm` in `fetch_event_types` selects. See protocol/organizations#fields,
 * protocol/organizations#server-facts.
 */
export const realmFields: Readonly<Record<string, Schema>> = {
  ...prefixed(Object.entries(PLAIN).map(([name, { schema }]) => [name, schema])),
  ...prefixed(REALM_GROUP_SETTINGS.map(({ name }) => [name, groupSettingValue])),
  ...Object.fromEntries(Object.keys(LIMITS).map((name) => [name, int()])),
  ...realmFacts,
};
