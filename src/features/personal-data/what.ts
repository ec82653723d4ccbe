import { tables } from '#kernel/store';

/**
 * A person's own part of a table: the column that names them, and columns to leave out because they are secret or
 * internal.
 */
interface OwnRows {
  readonly column: string;
  /** The column of a channel whose name, topics or settings the rows tell, for those alone who may know of it. */
  readonly channel?: string;
  readonly without?: readonly string[];
}

/**
 * Tables whose rows about a person are handed to that person. See protocol/organizations#personal-data. A table with a
 * column that names a person must be here or in `NOT_HANDED_OUT`, or declare it itself (`handedOutBy`); a test ensures
 * that.
 */
const HANDED_OUT: Readonly<Record<string, readonly OwnRows[]>> = {
  user: [
    { column: 'id', without: ['email_key', 'api_key_version', 'role_event_id'] },
    { column: 'bot_owner_id', without: ['email_key', 'api_key_version', 'role_event_id'] },
  ],
  session: [{ column: 'user_id', without: ['token_hash', 'provider_token'] }],
  scim_token: [{ column: 'owner_id', without: ['token_hash'] }],
  device_key: [{ column: 'user_id', without: ['key_hash'] }],
  user_password: [{ column: 'user_id', without: ['password_hash'] }],
  passkey: [{ column: 'user_id', without: ['credential_id', 'public_key'] }],
  directory_person: [{ column: 'user_id', without: ['picture_hash'] }],
  zoom_grant: [{ column: 'user_id', without: ['sealed'] }],
  external_identity: [{ column: 'user_id' }],
  edited_setting: [{ column: 'user_id' }],
  profile_value: [{ column: 'user_id' }],
  user_group: [{ column: 'creator_id', without: ['name_key'] }],
  user_group_member: [{ column: 'user_id' }],
  channel: [{ column: 'creator_id', channel: 'id', without: ['name_key'] }],
  channel_folder: [{ column: 'creator_id', without: ['name_key'] }],
  channel_rule: [{ column: 'creator_id', channel: 'channel_id' }],
  subscription: [{ column: 'user_id' }],
  subscription_period: [{ column: 'user_id' }],
  user_topic: [{ column: 'user_id', channel: 'channel_id', without: ['topic_key'] }],
  alert_word: [{ column: 'user_id', without: ['word_key'] }],
  muted_user: [{ column: 'user_id' }],
  mail_failure: [{ column: 'user_id' }],
  presence: [{ column: 'user_id' }],
  user_status: [{ column: 'user_id' }],
  reaction: [{ column: 'user_id' }],
  submessage: [{ column: 'sender_id' }],
  read_interval: [{ column: 'user_id' }],
  attachment: [{ column: 'owner_id' }],
  realm_emoji: [{ column: 'author_id' }],
  invitation: [{ column: 'inviter_id', without: ['email_key', 'key_seed', 'key_hash'] }],
  data_export: [{ column: 'acting_user_id', without: ['file_key'] }],
  draft: [{ column: 'user_id' }],
  scheduled_message: [{ column: 'user_id' }],
  // The text quotes a message, which may not be readable any more; the readable ones have files of their own.
  reminder: [{ column: 'user_id', without: ['content', 'rendered_content'] }],
  saved_snippet: [{ column: 'user_id' }],
  navigation_view: [{ column: 'user_id' }],
  onboarding_step: [{ column: 'user_id' }],
  message_flag: [{ column: 'user_id' }],
  delivered_user: [{ column: 'user_id' }],
  push_subscription: [{ column: 'user_id', without: ['endpoint_hash', 'sealed'] }],
  push_device: [{ column: 'user_id', without: ['push_key'] }],
  push_token: [{ column: 'user_id', without: ['token', 'token_hash'] }],
};

/** `HANDED_OUT` with the tables that declare it themselves. */
export function handedOut(): Readonly<Record<string, readonly OwnRows[]>> {
  const declared = tables().flatMap(({ name, handedOutBy: column }) =>
    column === undefined ? [] : [[name, [{ column }]] as const],
  );
  return { ...HANDED_OUT, ...Object.fromEntries(declared) };
}

/** Tables that name people and are not handed out, each with the reason. */
export const NOT_HANDED_OUT: Readonly<Record<string, string>> = {
  message: 'messages have files of their own',
  direct_participant: 'the people of each conversation stand beside its messages',
  second_factor: 'a secret, and what guards it',
  recovery_code: 'digests of secrets',
  reply_address: 'digests of addresses that end within weeks',
  one_time_link: 'digests of secrets, which end within days',
  event_queue: 'a connection of the moment',
  missed_message: 'a notification that is about to be sent',
  pushed_message: 'a notification that phones show',
  unfinished_upload: 'an upload that is about to end or to be forgotten',
  bot: 'it is of a bot, which has an account of its own',
  bot_storage: 'it is of a bot, which has an account of its own',
};
