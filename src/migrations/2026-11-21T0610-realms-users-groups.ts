import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const bool = { type: 'bool' } as const;
const intOrNull = { type: 'int', nullable: true } as const;

const REALM_GROUPS = [
  'can_access_all_users_group',
  'can_add_custom_emoji_group',
  'can_add_subscribers_group',
  'can_create_bots_group',
  'can_create_groups',
  'can_create_private_channel_group',
  'can_create_public_channel_group',
  'can_create_web_public_channel_group',
  'can_create_write_only_bots_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'can_mention_many_users_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_set_delete_message_policy_group',
  'can_set_topics_policy_group',
  'can_summarize_topics_group',
  'create_multiuse_invite_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
  'workplace_users_group',
];
const GROUP_GROUPS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
];
const ints = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, int]));

/** Organizations, accounts with their passwords, and user groups. */
export const realmsUsersGroups = defineMigration('2026-11-21T0610-realms-users-groups', async (m) => {
  await m.createTable(
    'realm',
    {
      id: { type: 'id' },
      string_id: text,
      name: text,
      uuid: text,
      date_created: int,
      is_deactivated: bool,
      settings: text,
      system_groups: text,
      ...ints(REALM_GROUPS),
    },
    { unique: [['string_id']] },
  );
  await m.createTable(
    'user',
    {
      id: { type: 'id' },
      realm_id: int,
      email: text,
      email_key: text,
      full_name: text,
      role: int,
      previous_role: int,
      role_event_id: int,
      is_bot: bool,
      bot_type: intOrNull,
      bot_owner_id: intOrNull,
      is_system_bot: bool,
      is_active: bool,
      is_deleted: bool,
      date_joined: int,
      timezone: text,
      avatar_source: text,
      avatar_version: int,
      email_address_visibility: int,
      api_key_version: int,
      user_settings: text,
      last_active_at: int,
    },
    { unique: [['realm_id', 'email_key']], indexes: [['bot_owner_id']] },
  );
  await m.run('create index user_lower_name on "user" (realm_id, lower(full_name))');
  await m.createTable(
    'user_password',
    { realm_id: int, user_id: int, password_hash: text, changed_at: int },
    { primaryKey: ['user_id'] },
  );
  await m.createTable(
    'user_group',
    {
      id: { type: 'id' },
      realm_id: int,
      group_kind: text,
      name: text,
      name_key: text,
      description: text,
      creator_id: intOrNull,
      date_created: int,
      deactivated: bool,
      ...ints(GROUP_GROUPS),
    },
    { indexes: [['realm_id', 'group_kind', 'name_key']] },
  );
  await m.createTable(
    'user_group_member',
    { realm_id: int, group_id: int, user_id: int },
    { primaryKey: ['group_id', 'user_id'], indexes: [['user_id']] },
  );
  await m.createTable(
    'user_group_subgroup',
    { realm_id: int, group_id: int, subgroup_id: int },
    { primaryKey: ['group_id', 'subgroup_id'], indexes: [['subgroup_id']] },
  );
});
