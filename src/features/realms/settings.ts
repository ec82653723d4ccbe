import { SECONDS_PER_DAY } from '#kernel/clock';
import {
  bool,
  defaultsOf,
  boundedDict,
  int,
  list,
  nullable,
  oneOf,
  oneOfNumbers,
  refined,
  type Schema,
  type SchemaOf,
  text,
} from '#kernel/schema';
import { having } from '#kernel/ids';
import { REALM_GROUP_SETTINGS } from './group-settings.ts';

/** How a change is announced: by an event of its own, together with others, or not at all. */
type Announced = 'update' | 'update_dict' | 'silent';

/** Who may change a setting by `PATCH /realm`; owners may change everything that administrators may. */
type ChangedBy = 'administrators' | 'owners';

interface RealmSetting<T> {
  readonly schema: Schema<T>;
  readonly default: T;
  readonly announced: Announced;
  /** Meaning for the documentation; absent if the vocabulary explains the name. */
  readonly doc?: string;
}

/** Declares a setting that requests may change, with its meaning; settings without it cannot be changed by requests. */
const changedBy =
  <const W extends ChangedBy>(who: W) =>
  <S extends RealmSetting<unknown>>(declared: S, doc?: string): S & { readonly changedBy: W } => ({
    ...declared,
    ...(doc !== undefined && { doc }),
    changedBy: who,
  });
const administrators = changedBy('administrators');
const owners = changedBy('owners');

const setting = <T>(schema: Schema<T>, byDefault: NoInfer<T>, announced: Announced = 'update'): RealmSetting<T> => ({
  schema,
  default: byDefault,
  announced,
});
const flag = (byDefault: boolean, announced: Announced = 'update') => setting<boolean>(bool(), byDefault, announced);
/** Seconds; null: without limit. */
const timeLimit = (byDefault: number | null, announced: Announced = 'update') =>
  setting<number | null>(nullable(int({ min: 1 })), byDefault, announced);
/** A channel's ID; -1: none. */
const channel = () => setting<number>(int(), -1);
const kind = <const N extends number>(numbers: readonly N[], byDefault: NoInfer<N>) =>
  setting<N>(oneOfNumbers(...numbers), byDefault);

/** The organization's settings that are not held by groups, each as `realm_<name>` in the register response. */
export const REALM_SETTINGS = {
  allow_message_editing: administrators(flag(true, 'update_dict')),
  /** Days after which entries of the audit log are deleted; 0: never. */
  audit_log_retention_days: owners(
    setting<number>(
      refined(int({ min: 0, max: 3650 }), (days) => days === 0 || days >= 30, 'is neither 0 nor 30 and more'),
      0,
    ),
  ),
  authentication_methods: owners(
    setting<Record<string, boolean>>(
      boundedDict(bool(), { max: 100, key: 100 }),
      { Email: true, Dev: true },
      'update_dict',
    ),
  ),
  avatar_changes_disabled: administrators(flag(false)),
  default_avatar_source: administrators(setting(oneOf('G', 'J'), 'J')),
  default_code_block_language: administrators(setting(text(), '')),
  default_language: administrators(setting(text(), 'en')),
  description: administrators(setting(text({ max: 1000 }), '', 'update_dict')),
  digest_emails_enabled: administrators(flag(false)),
  digest_weekday: administrators(kind([0, 1, 2, 3, 4, 5, 6], 1)),
  disallow_disposable_email_addresses: owners(flag(true)),
  email_changes_disabled: administrators(flag(false)),
  emails_restricted_to_domains: owners(flag(false)),
  enable_guest_user_dm_warning: administrators(flag(true)),
  enable_guest_user_indicator: administrators(flag(true)),
  enable_read_receipts: administrators(flag(false)),
  enable_spectator_access: administrators(flag(false)),
  gif_rating_policy: administrators(kind([0, 1, 2, 3, 4], 1)),
  icon_source: setting(oneOf('G', 'U'), 'G', 'update_dict'),
  icon_version: setting(int(), 1, 'silent'),
  inline_image_preview: administrators(flag(true)),
  inline_url_embed_preview: administrators(flag(false)),
  invite_required: owners(flag(true)),
  jitsi_server_url: administrators(setting(nullable(text()), null)),
  logo_source: setting(oneOf('D', 'U'), 'D', 'update_dict'),
  logo_version: setting(int(), 1, 'silent'),
  night_logo_source: setting(oneOf('D', 'U'), 'D', 'update_dict'),
  night_logo_version: setting(int(), 1, 'silent'),
  media_preview_size: administrators(kind([100, 150, 200], 100)),
  message_content_allowed_in_email_notifications: administrators(flag(true)),
  message_content_delete_limit_seconds: administrators(timeLimit(600)),
  message_content_edit_limit_seconds: administrators(timeLimit(600, 'update_dict')),
  message_edit_history_visibility_policy: administrators(setting(oneOf('all', 'moves', 'none'), 'all')),
  message_retention_days: owners(setting(int(), -1)),
  moderation_request_channel_id: administrators(channel()),
  move_messages_between_streams_limit_seconds: administrators(timeLimit(7 * SECONDS_PER_DAY)),
  move_messages_within_stream_limit_seconds: administrators(timeLimit(7 * SECONDS_PER_DAY)),
  name_changes_disabled: administrators(flag(false)),
  new_stream_announcements_stream_id: administrators(channel()),
  org_type: administrators(kind([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000], 0)),
  /** Names of ways to log in, in the order in which they are offered; others follow. */
  login_method_order: owners(setting<readonly string[]>(list(text({ min: 1, max: 100 }), { max: 200 }), [])),
  /** Requirements for new passwords: characters, and guesses by the server's estimate. */
  password_min_guesses: owners(setting<number>(int({ min: 10_000, max: 1e15 }), 10_000)),
  password_min_length: owners(setting<number>(int({ min: 8, max: 64 }), 8)),
  presence_disabled: flag(false),
  /** Whether the push service, if there is one, accepts notifications of the organization. */
  push_notifications_enabled: flag(true),
  push_notifications_enabled_end_timestamp: setting(nullable(int()), null),
  require_e2ee_push_notifications: administrators(flag(false)),
  require_unique_names: administrators(flag(false)),
  /** Days from the requirement, or from joining, until people of those roles cannot log in without a second factor. */
  second_factor_grace_days: owners(setting<number>(int({ min: 0, max: 90 }), 14)),
  /** People of this role and above need a second factor; 0: nobody does. */
  second_factor_required_role: owners(kind([0, 100, 200, 300, 400, 600], 0)),
  /** Seconds since 1970 when it was required of these roles; 0: it is not. */
  second_factor_required_since: setting<number>(int(), 0),
  send_channel_events_messages: administrators(flag(true)),
  send_welcome_emails: administrators(flag(true)),
  signup_announcements_stream_id: administrators(channel()),
  topics_policy: administrators(
    setting(oneOf('allow_empty_topic', 'disable_empty_topic'), 'allow_empty_topic', 'update_dict'),
  ),
  upload_quota_mib: setting(nullable(int({ min: 0 })), null, 'update_dict'),
  video_chat_provider: administrators(kind([0, 1, 3, 4, 5, 6, 7], 1)),
  waiting_period_threshold: owners(setting(int({ min: 0 }), 0)),
  want_advertise_in_communities_directory: administrators(flag(false)),
  welcome_message_custom_text: administrators(setting(text({ max: 8000 }), '')),
  zulip_update_announcements_stream_id: administrators(channel()),
} as const;

/** Name of a setting. */
export type RealmSettingName = keyof typeof REALM_SETTINGS;
/** The settings that requests may change; the slice `realm-settings` defines their parameters. */
export const CHANGEABLE_SETTINGS = having(REALM_SETTINGS, 'changedBy');

/** The settings and permissions that only owners may change. */
export const OWNERS_SETTINGS: readonly string[] = [
  ...Object.entries(CHANGEABLE_SETTINGS).flatMap(([name, declared]) => (declared.changedBy === 'owners' ? [name] : [])),
  ...REALM_GROUP_SETTINGS.flatMap((declared) => (declared.changedBy === 'owners' ? [declared.name] : [])),
];

/** Values of all settings. */
export type RealmSettings = { readonly [K in RealmSettingName]: SchemaOf<(typeof REALM_SETTINGS)[K]['schema']> };

const DEFAULTS = defaultsOf(REALM_SETTINGS);

/** All settings of an organization: its own values, and the defaults for the rest. */
export function settingsOf(row: { readonly settings: Partial<RealmSettings> }): RealmSettings {
  return { ...DEFAULTS, ...row.settings };
}
