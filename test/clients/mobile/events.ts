import {
  anyOf,
  bool,
  dict,
  float,
  int,
  lenientObject,
  list,
  literal,
  maybe,
  nullable,
  oneOf,
  refined,
  str,
} from '#kernel/schema';
import type { Schema, Shape } from '#kernel/schema';
import {
  byNumber,
  channel,
  color,
  customEmoji,
  folder,
  groupSetting,
  messageOfEvent,
  mutedUser,
  profileField,
  reactionType,
  snippet,
  status,
  subscription,
  user,
  userGroup,
  userTopic,
} from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

const anEvent = (shape: Shape) => lenientObject({ id: int(), type: str(), ...shape });

/** An update of one property, whose value must be of the property's type; others are ignored. */
const update = (shape: Shape, values: Readonly<Record<string, Schema>>): Schema =>
  refined(
    anEvent({ property: str(), ...shape }).loose(),
    ({ property, value }: Json) => values[String(property)]?.safeParse(value).success ?? true,
    'the value is not of its property',
  );

const flags = { flag: str(), messages: list(int()), all: bool() };
const detail = anyOf(
  lenientObject({ type: literal('private'), mentioned: maybe(bool()), user_ids: list(int()) }),
  lenientObject({ type: literal('stream'), mentioned: maybe(bool()), stream_id: int(), topic: str() }),
);

const typist = lenientObject({ user_id: int() });
const typing = anyOf(
  anEvent({ message_type: literal('direct'), sender: typist, recipients: list(typist) }),
  anEvent({ message_type: literal('stream'), sender: typist, stream_id: int(), topic: str() }),
);

const reaction = anEvent({
  emoji_name: str(),
  emoji_code: str(),
  reaction_type: reactionType,
  user_id: int(),
  message_id: int(),
});

/** Flags of an edited message; here alone the app does not pass over one that it does not know. */
const knownFlag = oneOf(
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
);

/** An edit or a move. The app refuses a mode without a new place, and a new place without all of the old one. */
const updateMessage = refined(
  anEvent({
    user_id: nullable(int()),
    rendering_only: bool(),
    message_id: int(),
    message_ids: list(int(), { min: 1 }),
    flags: list(knownFlag),
    edit_timestamp: int(),
    stream_id: maybe(int()),
    new_stream_id: maybe(int()),
    propagate_mode: maybe(oneOf('change_one', 'change_later', 'change_all')),
    orig_subject: maybe(str()),
    subject: maybe(str()),
    orig_content: maybe(str()),
    orig_rendered_content: maybe(str()),
    content: maybe(str()),
    rendered_content: maybe(str()),
    is_me_message: maybe(bool()),
  }),
  ({ stream_id, new_stream_id, orig_subject, subject, propagate_mode }: Json) => {
    const isMove = (new_stream_id ?? stream_id) !== stream_id || (subject ?? orig_subject) !== orig_subject;
    const isWhole = stream_id !== undefined && orig_subject !== undefined;
    return isMove ? isWhole && propagate_mode !== undefined : propagate_mode === undefined;
  },
  'not a move as it should be',
);

const deleteMessage = anyOf(
  anEvent({ message_ids: list(int()), message_type: literal('stream'), stream_id: int(), topic: str() }),
  anEvent({ message_ids: list(int()), message_type: literal('private') }),
);

const person = lenientObject({
  user_id: int(),
  full_name: maybe(str()),
  avatar_url: maybe(nullable(str())),
  avatar_version: maybe(int()),
  timezone: maybe(str()),
  bot_owner_id: maybe(int()),
  role: maybe(int()),
  delivery_email: maybe(nullable(str())),
  custom_profile_field: maybe(lenientObject({ id: int(), value: nullable(str()), rendered_value: maybe(str()) })),
  new_email: maybe(str()),
  is_active: maybe(bool()),
});

const members = anEvent({ group_id: int(), user_ids: list(int()) });
const subgroups = anEvent({ group_id: int(), direct_subgroup_ids: list(int()) });
const peers = anEvent({ stream_ids: list(int()), user_ids: list(int()) });

/** Everything the app decodes, by type and `op`; the rest it puts aside. See protocol/events#what-clients-need. */
export const EVENTS: Readonly<Record<string, Schema>> = {
  heartbeat: anEvent({}),
  alert_words: anEvent({ alert_words: list(str()) }),
  custom_profile_fields: anEvent({ fields: list(profileField) }),
  muted_users: anEvent({ muted_users: list(mutedUser) }),
  'realm_emoji/add': anEvent({ emoji: customEmoji }),
  'realm_emoji/update_one': anEvent({ emoji_id: str(), data: lenientObject({ deactivated: maybe(bool()) }) }),
  // To apps without a capability that this one has; it reads it all the same.
  'realm_emoji/update': anEvent({ realm_emoji: byNumber(customEmoji) }),
  'realm_user/add': anEvent({ person: user }),
  'realm_user/remove': anEvent({ person: lenientObject({ user_id: int() }) }),
  'realm_user/update': anEvent({ person }),
  'user_settings/update': update(
    {},
    {
      twenty_four_hour_time: nullable(bool()),
      starred_message_counts: bool(),
      display_emoji_reaction_users: bool(),
      web_inbox_show_channel_folders: bool(),
      emojiset: str(),
      presence_enabled: bool(),
    },
  ),
  'user_group/add': anEvent({ group: userGroup }),
  'user_group/update': anEvent({
    group_id: int(),
    data: lenientObject({ name: maybe(str()), description: maybe(str()), deactivated: maybe(bool()) }),
  }),
  'user_group/remove': anEvent({ group_id: int() }),
  'user_group/add_members': members,
  'user_group/remove_members': members,
  'user_group/add_subgroups': subgroups,
  'user_group/remove_subgroups': subgroups,
  'saved_snippets/add': anEvent({ saved_snippet: snippet }),
  'saved_snippets/update': anEvent({ saved_snippet: snippet }),
  'saved_snippets/remove': anEvent({ saved_snippet_id: int() }),
  'channel_folder/add': anEvent({ channel_folder: folder }),
  'channel_folder/update': anEvent({
    channel_folder_id: int(),
    data: lenientObject({
      name: maybe(str()),
      description: maybe(str()),
      rendered_description: maybe(str()),
      is_archived: maybe(bool()),
    }),
  }),
  'channel_folder/reorder': anEvent({ order: list(int()) }),
  'stream/create': anEvent({ streams: list(channel) }),
  'stream/delete': anEvent({ stream_ids: list(int()) }),
  'stream/update': update(
    {
      stream_id: int(),
      name: str(),
      rendered_description: maybe(str()),
      history_public_to_subscribers: maybe(bool()),
      is_web_public: maybe(bool()),
    },
    {
      name: str(),
      description: str(),
      invite_only: bool(),
      is_archived: bool(),
      is_recently_active: bool(),
      first_message_id: nullable(int()),
      message_retention_days: nullable(int()),
      folder_id: nullable(int()),
      stream_weekly_traffic: nullable(int()),
      topics_policy: str(),
      stream_post_policy: refined(int(), (policy) => policy >= 1 && policy <= 4, 'not 1 to 4'),
      can_add_subscribers_group: groupSetting,
      can_delete_any_message_group: groupSetting,
      can_delete_own_message_group: groupSetting,
      can_send_message_group: groupSetting,
      can_subscribe_group: groupSetting,
    },
  ),
  'subscription/add': anEvent({ subscriptions: list(subscription) }),
  'subscription/remove': anEvent({ subscriptions: list(lenientObject({ stream_id: int(), name: str() })) }),
  'subscription/update': update(
    { stream_id: int() },
    {
      color,
      is_muted: bool(),
      pin_to_top: bool(),
      desktop_notifications: bool(),
      audible_notifications: bool(),
      push_notifications: bool(),
      email_notifications: bool(),
      wildcard_mentions_notify: bool(),
    },
  ),
  'subscription/peer_add': peers,
  'subscription/peer_remove': peers,
  user_status: anEvent({ user_id: int(), ...status.shape }),
  user_topic: anEvent(userTopic.shape),
  message: anEvent({ message: messageOfEvent, flags: list(str()), local_message_id: maybe(str()) }),
  update_message: updateMessage,
  delete_message: deleteMessage,
  'update_message_flags/add': anEvent(flags),
  'update_message_flags/remove': anyOf(
    anEvent({ ...flags, flag: literal('read'), message_details: byNumber(detail) }),
    refined(anEvent(flags), ({ flag }: Json) => flag !== 'read', 'without details'),
  ),
  submessage: anEvent({ message_id: int(), sender_id: int(), submessage_id: int(), msg_type: str(), content: str() }),
  'typing/start': typing,
  'typing/stop': typing,
  presence: anEvent({
    user_id: int(),
    server_timestamp: float(),
    presence: dict(
      lenientObject({ client: str(), status: oneOf('active', 'idle'), timestamp: int(), pushable: bool() }),
    ),
  }),
  'reaction/add': reaction,
  'reaction/remove': reaction,
  'device/add': anEvent({ device_id: int() }),
  'device/remove': anEvent({ device_id: int() }),
  'device/update': anEvent({
    device_id: int(),
    push_key_id: maybe(nullable(int())),
    push_token_id: maybe(nullable(str())),
    pending_push_token_id: maybe(nullable(str())),
    push_token_last_updated_timestamp: maybe(nullable(int())),
    push_registration_error_code: maybe(nullable(str())),
  }),
};
