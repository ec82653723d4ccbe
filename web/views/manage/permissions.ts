/** The permissions of a channel by section of the page; a test compares these lists with the server's declarations. */
export const CHANNEL_PERMISSIONS = {
  people: [
    'can_administer_channel_group',
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ],
  messages: [
    'can_send_message_group',
    'can_create_topic_group',
    'can_resolve_topics_group',
    'can_move_messages_within_channel_group',
    'can_move_messages_out_of_channel_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
  ],
} as const;

/** The permissions of the organization. */
export const ORGANIZATION_PERMISSIONS = {
  joining: ['can_invite_users_group', 'create_multiuse_invite_group', 'can_access_all_users_group'],
  channels: [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_create_web_public_channel_group',
    'can_add_subscribers_group',
  ],
  groups: ['can_create_groups', 'can_manage_all_groups'],
  talking: ['direct_message_initiator_group', 'direct_message_permission_group', 'can_mention_many_users_group'],
  topics: [
    'can_resolve_topics_group',
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
    'can_set_topics_policy_group',
  ],
  messages: ['can_delete_own_message_group', 'can_delete_any_message_group', 'can_set_delete_message_policy_group'],
  additions: ['can_add_custom_emoji_group', 'can_create_bots_group', 'can_create_write_only_bots_group'],
} as const;

/** The permissions of a group. */
export const GROUP_PERMISSIONS = [
  'can_manage_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_join_group',
  'can_leave_group',
  'can_mention_group',
] as const;
