import type { Word, Words } from './word.ts';

/** What the holders of each permission may do. */
const MAY: Readonly<Record<string, string>> = {
  can_access_all_users_group: 'know of all people of the organization',
  can_add_custom_emoji_group: 'add custom emoji',
  can_add_members_group: 'add people to the group',
  can_add_subscribers_group: 'subscribe others to the channel; of the organization: to any channel',
  can_administer_channel_group: 'administer the channel',
  can_create_bots_group: 'make bots of any kind',
  can_create_groups: 'make user groups',
  can_create_private_channel_group: 'make private channels',
  can_create_public_channel_group: 'make public channels',
  can_create_topic_group: 'begin new topics in the channel',
  can_create_web_public_channel_group: 'make channels that anyone on the Internet can read',
  can_create_write_only_bots_group: 'make incoming webhooks',
  can_delete_any_message_group: 'delete any message',
  can_delete_own_message_group: 'delete their own messages',
  can_invite_users_group: 'invite people by mail',
  can_join_group: 'join the group by themselves',
  can_leave_group: 'leave the group',
  can_manage_all_groups: 'administer all user groups',
  can_manage_billing_group: 'manage plans and billing',
  can_manage_group: 'administer the group',
  can_mention_group: 'mention the group',
  can_mention_many_users_group: 'mention everyone in large conversations',
  can_move_messages_between_channels_group: 'move messages to another channel',
  can_move_messages_between_topics_group: 'move messages to another topic',
  can_move_messages_out_of_channel_group: 'move messages out of the channel',
  can_move_messages_within_channel_group: 'move messages to another topic of the channel',
  can_remove_members_group: 'remove people from the group',
  can_remove_subscribers_group: 'unsubscribe others from the channel',
  can_resolve_topics_group: 'mark topics as resolved',
  can_send_message_group: 'send messages to the channel',
  can_set_delete_message_policy_group: 'choose who may delete messages in a channel',
  can_set_topics_policy_group: 'choose how a channel treats messages without a topic',
  can_subscribe_group: 'subscribe themselves, also to the private channel',
  can_summarize_topics_group: 'use summaries of topics',
  create_multiuse_invite_group: 'make reusable invitation links',
  direct_message_initiator_group: 'begin a direct conversation',
  direct_message_permission_group: 'take part in direct conversations; one of the people must hold it',
  workplace_users_group: 'count as people of the workplace',
};

/** Parameters that set who holds a permission: a value for something new, `{new, old}` for a change. */
export const permissionWords: Words = Object.fromEntries(
  Object.entries(MAY).map(([name, may]): [string, Word] => [
    name,
    [
      `Who may ${may}. See [permissions](/api/#permissions).`,
      22,
      { new: 22, old: { direct_members: [12], direct_subgroups: [] } },
    ],
  ]),
);
