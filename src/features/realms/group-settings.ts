import { groupSetting, type GroupSetting, type SystemGroupName } from '#kernel/permissions';

const SOURCE = 'protocol/organizations#fields, protocol/permissions#organization-permissions';

const setting = <const N extends string>(
  name: N,
  byDefault: SystemGroupName,
  everyone: boolean,
  nobody: boolean,
  only?: readonly SystemGroupName[],
) =>
  groupSetting({
    name,
    on: 'realm',
    default: byDefault,
    everyone,
    nobody,
    source: SOURCE,
    ...(only && { onlySystemGroups: only }),
  });

/** The organization's permissions that are held by groups. */
export const REALM_GROUP_SETTINGS = [
  setting('can_access_all_users_group', 'role:everyone', true, false, ['role:everyone', 'role:members']),
  setting('can_add_custom_emoji_group', 'role:members', false, true),
  setting('can_add_subscribers_group', 'role:members', false, true),
  setting('can_create_bots_group', 'role:members', false, true),
  setting('can_create_groups', 'role:members', false, true),
  setting('can_create_private_channel_group', 'role:members', false, true),
  setting('can_create_public_channel_group', 'role:members', false, true),
  setting('can_create_web_public_channel_group', 'role:owners', false, true, [
    'role:moderators',
    'role:administrators',
    'role:owners',
    'role:nobody',
  ]),
  setting('can_create_write_only_bots_group', 'role:members', false, true),
  setting('can_delete_any_message_group', 'role:administrators', false, true),
  setting('can_delete_own_message_group', 'role:everyone', true, true),
  setting('can_invite_users_group', 'role:members', false, true),
  setting('can_manage_all_groups', 'role:owners', false, false),
  setting('can_manage_billing_group', 'role:administrators', false, false),
  setting('can_mention_many_users_group', 'role:administrators', true, true),
  setting('can_move_messages_between_channels_group', 'role:members', false, true),
  setting('can_move_messages_between_topics_group', 'role:everyone', true, true),
  setting('can_resolve_topics_group', 'role:everyone', true, true),
  setting('can_set_delete_message_policy_group', 'role:moderators', false, true),
  setting('can_set_topics_policy_group', 'role:members', true, true),
  setting('can_summarize_topics_group', 'role:everyone', true, true),
  setting('create_multiuse_invite_group', 'role:administrators', false, true),
  setting('direct_message_initiator_group', 'role:everyone', true, true),
  setting('direct_message_permission_group', 'role:everyone', true, true),
  setting('workplace_users_group', 'role:everyone', true, true),
] as const;

/** Name of a permission of the organization. */
export type RealmGroupSettingName = (typeof REALM_GROUP_SETTINGS)[number]['name'];

/** The declaration of one permission. */
export function realmGroupSetting(name: RealmGroupSettingName): GroupSetting {
  const found = REALM_GROUP_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no organization setting ${name}`);
  return found;
}
