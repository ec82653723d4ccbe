import {
  anyOf,
  bool,
  dict,
  int,
  json,
  lenientObject,
  list,
  literal,
  maybe,
  nullable,
  oneOf,
  oneOfNumbers,
  refined,
  type Schema,
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

/** JSON in a text, which the app reads when it gets to it. */
const jsonText = (value: Schema) =>
  refined(str(), (text) => value.safeParse(parsed(text)).success, 'not the JSON that it should be');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const groupSetting = anyOf(int(), lenientObject({ direct_members: list(int()), direct_subgroups: list(int()) }));

/** A colour as the app reads it: six digits in lower case. */
export const color = refined(str(), (text) => /^#[0-9a-f]{6}$/.test(text), 'not # and six lower-case digits');

export const user = lenientObject({
  user_id: int(),
  delivery_email: maybe(nullable(str())),
  email: str(),
  full_name: str(),
  date_joined: refined(str(), (text) => !Number.isNaN(Date.parse(text)), 'not a time'),
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

const fieldMembers = {
  id: int(),
  order: int(),
  name: str(),
  hint: str(),
  display_in_profile_summary: maybe(bool()),
};
const choices = jsonText(dict(lenientObject({ text: str() })));
const externalAccount = jsonText(lenientObject({ subtype: str(), url_pattern: maybe(str()) }));
/** A profile field; of choices (3) and accounts elsewhere (7) the app reads the data, too. */
export const profileField = anyOf(
  lenientObject({ ...fieldMembers, type: literal(3), field_data: choices }),
  lenientObject({ ...fieldMembers, type: literal(7), field_data: externalAccount }),
  lenientObject({ ...fieldMembers, type: oneOfNumbers(1, 2, 4, 5, 6, 8), field_data: str() }),
);

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
  // A number that it does not know ends the app's event loop.
  visibility_policy: oneOfNumbers(0, 1, 2, 3),
});

export const mutedUser = lenientObject({ id: int(), timestamp: int() });
export const snippet = lenientObject({ id: int(), title: str(), content: str(), date_created: int() });

/** What a reaction may be; any other word breaks the whole list of messages. */
export const reactionType = oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji');

const reaction = lenientObject({ emoji_name: str(), emoji_code: str(), reaction_type: reactionType, user_id: int() });

/** A status: an emoji of a kind that it does not know breaks the app; empty texts clear. */
export const status = lenientObject({
  status_text: maybe(str()),
  emoji_name: maybe(str()),
  emoji_code: maybe(str()),
  reaction_type: maybe(anyOf(reactionType, literal(''))),
});

const submessage = lenientObject({ msg_type: str(), content: jsonText(json()), sender_id: int() });
const widget = lenientObject({ widget_type: str() });
const poll = lenientObject({
  widget_type: literal('poll'),
  extra_data: lenientObject({ question: maybe(str()), options: maybe(list(str())) }),
});
const voteKey = refined(str(), (key) => /^(canned|\d+),\d+$/.test(key), 'not an option of a poll');
const pollChange = anyOf(
  lenientObject({ type: literal('new_option'), option: str(), idx: int() }),
  lenientObject({ type: literal('question'), question: str() }),
  lenientObject({ type: literal('vote'), key: voteKey, vote: oneOfNumbers(1, -1) }),
);

interface Widgeted {
  readonly sender_id: number;
  readonly submessages?: readonly { readonly content: string; readonly sender_id: number }[] | undefined;
}

/** Whether the app can read what a message carries: the first from its sender; in polls, changes that it knows. */
function isReadableWidget({ sender_id, submessages = [] }: Widgeted): boolean {
  const [first, ...changes] = submessages;
  if (!first) return true;
  const content = parsed(first.content);
  if (first.sender_id !== sender_id || !widget.safeParse(content).success) return false;
  if (widget.safeParse(content).data?.widget_type !== 'poll') return true;
  const isChange = (change: { content: string }) => pollChange.safeParse(parsed(change.content)).success;
  return poll.safeParse(content).success && changes.every(isChange);
}

/** An entry of an edit history: a former topic stands beside the one that came after it. */
const edit = refined(
  lenientObject({
    user_id: nullable(int()),
    timestamp: int(),
    prev_topic: maybe(str()),
    topic: maybe(str()),
    prev_stream: maybe(int()),
  }),
  ({ prev_topic, topic }) => prev_topic === undefined || topic !== undefined,
  'a former topic without the next',
);
const participant = lenientObject({ id: int(), email: str(), full_name: str() });

const messageMembers = {
  client: str(),
  content: str(),
  content_type: literal('text/html'),
  edit_history: maybe(list(edit, { min: 1 })),
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
    withWidget(
      lenientObject({
        ...messageMembers,
        ...more,
        type: literal('stream'),
        stream_id: int(),
        subject: str(),
        display_recipient: str(),
      }),
    ),
    withWidget(
      lenientObject({
        ...messageMembers,
        ...more,
        type: literal('private'),
        display_recipient: list(participant, { min: 1 }),
      }),
    ),
  );

function withWidget(message: Schema): Schema {
  return refined(message, (value) => isReadableWidget(value as Widgeted), 'a widget that the app cannot read');
}

/** A message in an event, where flags stand beside it. */
export const messageOfEvent = messageForms({});
/** A message that was fetched. */
export const fetchedMessage = messageForms({ flags: list(str()) });
