import type { EventWords } from '#kernel/events';

const SELF = 'the account whose data it is';
const EVERYONE = 'everyone in the organization';
const NON_GUESTS = 'everyone except guests, or one who is no guest any more';
const MAY_SEE_PERSON = 'everyone who may see the person';
const MAY_KNOW_CHANNEL = 'everyone who may know of the channel';
const READERS = 'everyone who has the message, and subscribers where history is shared';
const RECIPIENTS = 'the recipients of the message';
const PEERS = 'others who may see the subscribers of the channel';

/**
 * The description and recipients of each kind of event (`type` or `type/op`) whose declaration has no `words`.
 * Audiences are explained in protocol/events#audiences.
 */
export const EVENT_WORDS: Readonly<Record<string, EventWords>> = {
  alert_words: ['The alert words changed; all of them.', SELF],
  'attachment/add': ['A file was uploaded.', SELF],
  'attachment/remove': ['A file was deleted.', SELF],
  'attachment/update': ['A message began or ceased to use a file.', SELF],
  'channel_folder/add': ['A channel folder was made.', EVERYONE],
  'channel_folder/reorder': ['The channel folders have a new order.', EVERYONE],
  'channel_folder/update': ['A channel folder changed; `data` has what did.', EVERYONE],
  has_zoom_token: ['The person has connected an account of Zoom, or has none connected any more.', SELF],
  custom_profile_fields: ['The profile fields of the organization changed; all of them.', EVERYONE],
  default_stream_groups: ['The groups of default channels changed; all of them.', NON_GUESTS],
  default_streams: ['The default channels changed; all of them.', NON_GUESTS],
  delete_message: [
    'Messages of one conversation were deleted. Without the capability `bulk_message_deletion`, one event for each.',
    READERS,
  ],
  'device/add': ['A device was registered.', SELF],
  'device/remove': ['A device was removed.', SELF],
  'device/update': ['The push registration of a device changed; only what is new.', SELF],
  'drafts/add': ['Drafts were added.', SELF],
  'drafts/remove': ['A draft was deleted.', SELF],
  'drafts/update': ['A draft changed.', SELF],
  heartbeat: ['Nothing happened for a while; the poll is answered to keep connections alive.', 'one queue'],
  invites_changed: [
    'The invitations changed; fetch them again where they are shown.',
    'administrators and the inviter',
  ],
  message: ['A message was sent. `local_message_id` only in the queue that was named when sending.', RECIPIENTS],
  muted_topics: ['The muted topics changed; all of them. Not for queues that name `user_topic`.', SELF],
  muted_users: ['The muted people changed; all of them.', SELF],
  'bot_command/add': ['A bot registered a command.', EVERYONE],
  'bot_command/remove': ['A command was removed.', EVERYONE],
  'bot_command/update': ['A command is described anew.', EVERYONE],
  'channel_rule/add': ['A channel has another rule.', 'the subscribers of the channel'],
  'channel_rule/remove': ['A rule was taken from a channel.', 'the subscribers of the channel'],
  'navigation_view/add': ['A navigation view was added.', SELF],
  'navigation_view/remove': ['A navigation view was removed.', SELF],
  'navigation_view/update': ['A navigation view changed; `data` has what did.', SELF],
  onboarding_steps: ['A hint was read; those that remain.', SELF],
  presence: [
    'Somebody came online, or is shown or hidden now. The form depends on `simplified_presence_events` and `slim_presence`.',
    MAY_SEE_PERSON,
  ],
  'reaction/add': ['Somebody reacted to a message.', RECIPIENTS],
  'reaction/remove': ['Somebody took a reaction back.', RECIPIENTS],
  'realm/deactivated': ['The organization was deactivated; nothing comes after it.', EVERYONE],
  'realm/update': ['A setting of the organization changed.', EVERYONE],
  'realm/update_dict': ['Settings of the organization changed together; `data` has the new values.', EVERYONE],
  'realm_bot/add': ['A bot was made, or has a new owner.', 'its owner and administrators'],
  'realm_bot/delete': ['A bot has another owner now.', 'its former owner'],
  'realm_bot/update': ['Settings of a bot changed; only what is new.', 'its owner and administrators'],
  'realm_domains/add': ['An email domain was allowed.', EVERYONE],
  'realm_domains/change': ['The domains below an email domain count now, or count no more.', EVERYONE],
  'realm_domains/remove': ['An email domain is no longer allowed.', EVERYONE],
  'realm_emoji/add': [
    'A custom emoji was added. Without the capability `individual_emoji_changes`, all of them with `op` `update`.',
    EVERYONE,
  ],
  'realm_emoji/update_one': [
    'A custom emoji was deactivated. Told once more with `op` `edit`; without the capability `individual_emoji_changes`, all emoji with `op` `update`.',
    EVERYONE,
  ],
  realm_export: ['An export was asked for, ended, failed or was deleted; all exports.', 'administrators'],
  realm_export_consent: ['Somebody changed whether their private data may be exported.', 'administrators'],
  realm_linkifiers: ['The linkifiers changed; all of them, in order. Needs `linkifier_url_template`.', EVERYONE],
  realm_playgrounds: ['The code playgrounds changed; all of them.', EVERYONE],
  'realm_user/add': ['Somebody joined, or a bot was made.', MAY_SEE_PERSON],
  'realm_user/remove': ['The person can no longer be seen.', 'guests who saw the person until now'],
  'realm_user/update': ['Something about a person changed; `person` has `user_id` and what did.', MAY_SEE_PERSON],
  'realm_user_settings_defaults/update': ['A default for settings of new people changed.', EVERYONE],
  'reminders/add': ['A reminder was added.', SELF],
  'reminders/remove': ['A reminder was sent or deleted.', SELF],
  'saved_snippets/add': ['A snippet was saved.', SELF],
  'saved_snippets/remove': ['A snippet was deleted.', SELF],
  'saved_snippets/update': ['A snippet changed.', SELF],
  'scheduled_messages/add': ['A message was scheduled.', SELF],
  'scheduled_messages/remove': ['A scheduled message was sent or deleted.', SELF],
  'scheduled_messages/update': ['A scheduled message changed, or could not be sent.', SELF],
  'stream/create': ['Channels can be seen now.', 'everyone who sees them from now on'],
  'stream/delete': ['Channels can be seen no more.', 'everyone who saw them until now'],
  'stream/update': ['A property of a channel changed.', MAY_KNOW_CHANNEL],
  submessage: ['Something was added to a poll or to-do list.', RECIPIENTS],
  'subscription/add': ['The account is subscribed to channels now.', 'the new subscriber'],
  'subscription/peer_add': ['Other people were subscribed.', PEERS],
  'subscription/peer_remove': ['Other people were unsubscribed.', PEERS],
  'subscription/remove': ['The account is no longer subscribed to channels.', 'the former subscriber'],
  'subscription/update': ['A personal property of a subscription changed.', SELF],
  'typing/start': ['Somebody types a message.', 'the people of the conversation; subscribers of the channel'],
  'typing/stop': ['Somebody types no more.', 'the people of the conversation; subscribers of the channel'],
  'typing_edit_message/start': ['Somebody edits a message.', RECIPIENTS],
  'typing_edit_message/stop': ['Somebody no longer edits a message.', RECIPIENTS],
  update_message: [
    'A message was edited or moved, alone or with others. `rendering_only`: only previews changed.',
    READERS,
  ],
  'update_message_flags/add': ['A flag was set on messages.', SELF],
  'update_message_flags/remove': [
    'A flag was taken from messages; `message_details` says where unread ones are.',
    SELF,
  ],
  'user_group/add': ['A group was made, or came back.', EVERYONE],
  'user_group/add_members': ['People were added to a group.', EVERYONE],
  'user_group/add_subgroups': ['Groups were put into a group.', EVERYONE],
  'user_group/remove': ['A group was deactivated. For clients without `include_deactivated_groups`.', EVERYONE],
  'user_group/remove_members': [
    'People were removed from a group.',
    'everyone in the organization, or guests whom one leaves',
  ],
  'user_group/remove_subgroups': ['Groups were taken out of a group.', EVERYONE],
  'user_group/update': ['A group changed; `data` has what did.', EVERYONE],
  'user_settings/update': ['A personal setting changed.', SELF],
  user_status: ['Somebody changed their status; only what is new, an empty text for what was cleared.', MAY_SEE_PERSON],
  user_topic: ['What one wants of a topic changed: 0 nothing special, 1 muted, 2 unmuted, 3 followed.', SELF],
};
