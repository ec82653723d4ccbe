import {
  anyOf,
  bool,
  dict,
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

// What the mobile app decodes. It ignores members it does not know, and gives up on a missing or wrong one: every
// object here is what must be there at the least.

/** IDs in ascending order, none twice; the app asserts it. See protocol/clients#registering. */
export const sortedIds = refined(
  list(int()),
  (ids) => ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
  'not sorted',
);

/** An object whose keys are numbers. */
export const byNumber = (value: Parameters<typeof dict>[0]) =>
  refined(dict(value), (entries) => Object.keys(entries).every((key) => /^\d+$/.test(key)), 'not keyed by numbers');

export const groupSetting = anyOf(int(), lenientObject({ direct_members: list(int()), direct_subgroups: list(int()) }));

/** A colour as the app reads it: six digits in lower case. */
export const color = refined(str(), (text) => /^#[0-9a-f]{6}$/.test(text), 'not # and six lower-case digits');

export const user = lenientObject({
  user_id: int(),
  delivery_email: maybe(nullable(str())),
  email: str(),
  full_name: str(),
  date_joined: str(),
  is_active: maybe(bool()),
  is_bot: bool(),
  bot_type: maybe(nullable(int())),
  bot_owner_id: maybe(nullable(int())),
  role: int(),
  timezone: str(),
  avatar_url: maybe(nullable(str())),
  avatar_version: int(),
  profile_data: maybe(nullable(byNumber(lenientObject({ value: str(), rendered_value: maybe(str()) })))),
  is_system_bot: maybe(bool()),
});

const channelMembers = {
  stream_id: int(),
  name: str(),
  is_archived: maybe(bool()),
  description: str(),
  rendered_description: str(),
  date_created: int(),
  first_message_id: nullable(int()),
  folder_id: maybe(nullable(int())),
  invite_only: bool(),
  is_web_public: bool(),
  history_public_to_subscribers: bool(),
  message_retention_days: nullable(int()),
  topics_policy: maybe(str()),
  stream_post_policy: maybe(refined(int(), (policy) => policy >= 1 && policy <= 4, 'not 1 to 4')),
  can_add_subscribers_group: groupSetting,
  can_delete_any_message_group: maybe(groupSetting),
  can_delete_own_message_group: maybe(groupSetting),
  can_send_message_group: maybe(groupSetting),
  can_subscribe_group: maybe(groupSetting),
  is_recently_active: maybe(bool()),
  stream_weekly_traffic: maybe(nullable(int())),
};
export const channel = lenientObject(channelMembers);
export const subscription = lenientObject({
  ...channelMembers,
  desktop_notifications: nullable(bool()),
  email_notifications: nullable(bool()),
  wildcard_mentions_notify: nullable(bool()),
  push_notifications: nullable(bool()),
  audible_notifications: nullable(bool()),
  pin_to_top: bool(),
  is_muted: bool(),
  color,
});

export const userGroup = lenientObject({
  id: int(),
  name: str(),
  description: str(),
  members: list(int()),
  direct_subgroup_ids: list(int()),
  is_system_group: bool(),
  can_mention_group: maybe(groupSetting),
  deactivated: maybe(bool()),
});

export const customEmoji = lenientObject({
  id: str(),
  name: str(),
  source_url: str(),
  still_url: nullable(str()),
  deactivated: bool(),
  author_id: nullable(int()),
});

export const profileField = lenientObject({
  id: int(),
  type: int(),
  order: int(),
  name: str(),
  hint: str(),
  field_data: str(),
  display_in_profile_summary: maybe(bool()),
});

export const folder = lenientObject({
  id: int(),
  name: str(),
  order: int(),
  date_created: nullable(int()),
  creator_id: nullable(int()),
  description: str(),
  rendered_description: str(),
  is_archived: bool(),
});

export const userTopic = lenientObject({
  stream_id: int(),
  topic_name: str(),
  last_updated: int(),
  visibility_policy: int(),
});

export const mutedUser = lenientObject({ id: int(), timestamp: int() });
export const snippet = lenientObject({ id: int(), title: str(), content: str(), date_created: int() });

/** What a reaction may be; any other word breaks the whole list of messages. */
export const reactionType = oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji');

const reaction = lenientObject({ emoji_name: str(), emoji_code: str(), reaction_type: reactionType, user_id: int() });
const submessage = lenientObject({ msg_type: str(), content: str(), sender_id: int() });
const participant = lenientObject({ id: int(), email: str(), full_name: str() });

const messageMembers = {
  client: str(),
  content: str(),
  content_type: literal('text/html'),
  edit_history: maybe(list(lenientObject({ user_id: nullable(int()), timestamp: int() }), { min: 1 })),
  id: int(),
  is_me_message: bool(),
  last_edit_timestamp: maybe(int()),
  last_moved_timestamp: maybe(int()),
  reactions: list(reaction),
  recipient_id: int(),
  sender_email: str(),
  sender_full_name: str(),
  sender_id: int(),
  sender_realm_str: str(),
  submessages: maybe(list(submessage)),
  timestamp: int(),
  match_content: maybe(str()),
  match_subject: maybe(str()),
};
/**
 * The members of a channel message and of a direct one, which differ in who hears them.
 * See protocol/clients#messages-read.
 */
const messageForms = (more: Parameters<typeof lenientObject>[0]) =>
  anyOf(
    lenientObject({
      ...messageMembers,
      ...more,
      type: literal('stream'),
      stream_id: int(),
      subject: str(),
      display_recipient: str(),
    }),
    lenientObject({
      ...messageMembers,
      ...more,
      type: literal('private'),
      display_recipient: list(participant, { min: 1 }),
    }),
  );
/** A message in an event, where flags stand beside it. */
export const messageOfEvent = messageForms({});
/** A message that was fetched. */
export const fetchedMessage = messageForms({ flags: list(str()) });
