import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const bool = { type: 'bool' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const boolOrNull = { type: 'bool', nullable: true } as const;

const CHANNEL_GROUPS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
];

/** Conversations, channels with their subscriptions, and messages. */
export const channelsAndMessages = defineMigration('2026-11-21T0620-channels-and-messages', async (m) => {
  await m.createTable(
    'recipient',
    { id: { type: 'id' }, realm_id: int, channel_id: intOrNull, participants_key: { type: 'text', nullable: true } },
    { unique: [['realm_id', 'participants_key']] },
  );
  await m.createTable(
    'direct_participant',
    { realm_id: int, recipient_id: int, user_id: int },
    { primaryKey: ['recipient_id', 'user_id'], indexes: [['user_id', 'recipient_id']] },
  );
  await m.createTable(
    'channel',
    {
      id: { type: 'id' },
      realm_id: int,
      recipient_id: int,
      name: text,
      name_key: text,
      description: text,
      rendered_description: text,
      date_created: int,
      creator_id: intOrNull,
      invite_only: bool,
      is_web_public: bool,
      history_public_to_subscribers: bool,
      is_archived: bool,
      is_default: bool,
      message_retention_days: intOrNull,
      folder_id: intOrNull,
      topics_policy: text,
      first_message_id: intOrNull,
      last_message_at: int,
      subscriber_count: int,
      ...Object.fromEntries(CHANNEL_GROUPS.map((name) => [name, int])),
    },
    { unique: [['realm_id', 'name_key']] },
  );
  await m.createTable(
    'subscription',
    {
      realm_id: int,
      user_id: int,
      channel_id: int,
      is_subscribed: bool,
      color: text,
      is_muted: bool,
      pin_to_top: bool,
      desktop_notifications: boolOrNull,
      email_notifications: boolOrNull,
      push_notifications: boolOrNull,
      audible_notifications: boolOrNull,
      wildcard_mentions_notify: boolOrNull,
    },
    // The index holds all that a list of subscribers needs, so that long ones are read from it alone.
    { primaryKey: ['user_id', 'channel_id'], indexes: [['channel_id', 'user_id', 'is_subscribed', 'realm_id']] },
  );
  await m.createTable(
    'subscription_period',
    {
      id: { type: 'id' },
      realm_id: int,
      channel_id: int,
      user_id: int,
      from_event_id: int,
      to_event_id: intOrNull,
      after_message_id: int,
      until_message_id: intOrNull,
    },
    {
      indexes: [
        ['channel_id', 'user_id'],
        ['user_id', 'channel_id'],
      ],
    },
  );
  await m.createTable(
    'message',
    {
      id: { type: 'id' },
      realm_id: int,
      sender_id: int,
      recipient_id: int,
      channel_id: intOrNull,
      topic: text,
      topic_key: text,
      content: text,
      rendered_content: text,
      sent_at: int,
      client: text,
      is_me_message: bool,
      has_attachment: bool,
      has_image: bool,
      has_link: bool,
      mentions_channel: bool,
      mentions_groups: bool,
      topic_links: { type: 'json' },
      edit_history: { type: 'json', nullable: true },
      last_edit_at: intOrNull,
      last_moved_at: intOrNull,
    },
    {
      indexes: [
        ['realm_id', 'id'],
        ['realm_id', 'sent_at', 'id'],
        ['recipient_id', 'id'],
        ['recipient_id', 'topic_key', 'id'],
        ['sender_id', 'id'],
      ],
    },
  );
});
