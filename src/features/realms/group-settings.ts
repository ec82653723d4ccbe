import { groupSetting, type GroupSetting, type SystemGroupName } from '#kernel/permissions';

const SOURCE = 'protocol/organizations#fields, protocol/permissions#organization-permissions';

const setting = <const N extends string>(
  name: N,
  byDefault: SystemGroupName,
  everyone: boolean,
  nobody: boolean,
  changedBy: 'administrators' | 'owners',
  only?: readonly SystemGroupName[],
) => ({
  ...groupSetting({
    name,
    on: 'realm',
    default: byDefault,
    everyone,
    nobody,
    source: SOURCE,
    ...(only && { onlySystemGroups: only }),
  }),
  changedBy,
});

/** The organization's permissions, each held by a group. */
export const REALM_GROUP_SETTINGS = [
  setting('can_access_all_users_group', 'role:everyone', true, false, 'administrators', [
    'role:everyone',
    'role:members',
  ]),
  setting('can_add_custom_emoji_group', 'role:members', false, true, 'administrators'),
  setting('can_add_subscribers_group', 'role:members', false, true, 'administrators'),
  setting('can_create_bots_group', 'role:members', false, true, 'administrators'),
  setting('can_create_groups', 'role:members', false, true, 'owners'),
  setting('can_create_private_channel_group', 'role:members', false, true, 'administrators'),
  setting('can_create_public_channel_group', 'role:members', false, true, 'administrators'),
  setting('can_create_web_public_channel_group', 'role:owners', false, true, 'administrators', [
    'role:moderators',
    'role:administrators',
    'role:owners',
    'role:nobody',
  ]),
  setting('can_create_write_only_bots_group', 'role:members', false, true, 'administrators'),
  setting('can_delete_any_message_group', 'role:administrators', false, true, 'administrators'),
  setting('can_delete_own_message_group', 'role:everyone', true, true, 'administrators'),
  setting('can_invite_users_group', 'role:members', false, true, 'owners'),
  setting('can_manage_all_groups', 'role:owners', false, false, 'owners'),
  setting('can_manage_billing_group', 'role:administrators', false, false, 'owners'),
  setting('can_mention_many_users_group', 'role:administrators', true, true, 'administrators'),
  setting('can_move_messages_between_channels_group', 'role:members', false, true, 'administrators'),
  setting('can_move_messages_between_topics_group', 'role:everyone', true, true, 'administrators'),
  setting('can_resolve_topics_group', 'role:everyone', true, true, 'administrators'),
  setting('can_set_delete_message_policy_group', 'role:moderators', false, true, 'administrators'),
  setting('can_set_topics_policy_group', 'role:members', true, true, 'administrators'),
  setting('can_summarize_topics_group', 'role:everyone', true, true, 'administrators'),
  setting('create_multiuse_invite_group', 'role:administrators', false, true, 'owners'),
  setting('direct_message_initiator_group', 'role:everyone', true, true, 'administrators'),
  setting('direct_message_permission_group', 'role:everyone', true, true, 'administrators'),
  setting('workplace_users_group', 'role:everyone', true, true, 'administrators'),
] as const;

/** Name of a permission of the organization. */
export type RealmGroupSettingName = (typeof REALM_GROUP_SETTINGS)[number]['name'];

/** The declaration of one permission. */
export function realmGroupSetting(name: RealmGroupSettingName): GroupSetting {
  const found = REALM_GROUP_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no organization setting ${name}`);
  return found;
}
