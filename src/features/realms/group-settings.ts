import { groupSetting, type GroupSetting, type SystemGroupName } from '#kernel/permissions';

const SOURCE = 'protocol/organizations#fields, protocol/permissions#organization-permissions';

interface SettingOptions {
  readonly default: SystemGroupName;
  /** Whether everyone, guests included, may hold it; false by default. */
  readonly everyone?: boolean;
  /** Whether nobody may hold it; true by default. */
  readonly nobody?: boolean;
  /** Who may change it; administrators by default. */
  readonly changedBy?: 'administrators' | 'owners';
  /** The only groups that may hold it; any by default. */
  readonly only?: readonly SystemGroupName[];
}

function setting<const N extends string>(name: N, options: SettingOptions) {
  const { default: byDefault, everyone = false, nobody = true, changedBy = 'administrators', only } = options;
  const declared = { name, on: 'realm', default: byDefault, everyone, nobody, source: SOURCE } as const;
  return { ...groupSetting({ ...declared, ...(only && { onlySystemGroups: only }) }), changedBy };
}

/** The organization's permissions, each held by a group. */
export const REALM_GROUP_SETTINGS = [
  setting('can_access_all_users_group', {
    default: 'role:everyone',
    everyone: true,
    nobody: false,
    only: ['role:everyone', 'role:members'],
  }),
  setting('can_add_custom_emoji_group', { default: 'role:members' }),
  setting('can_add_subscribers_group', { default: 'role:members' }),
  setting('can_create_bots_group', { default: 'role:members' }),
  setting('can_create_groups', { default: 'role:members', changedBy: 'owners' }),
  setting('can_create_private_channel_group', { default: 'role:members' }),
  setting('can_create_public_channel_group', { default: 'role:members' }),
  setting('can_create_web_public_channel_group', {
    default: 'role:owners',
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  setting('can_create_write_only_bots_group', { default: 'role:members' }),
  setting('can_delete_any_message_group', { default: 'role:administrators' }),
  setting('can_delete_own_message_group', { default: 'role:everyone', everyone: true }),
  setting('can_invite_users_group', { default: 'role:members', changedBy: 'owners' }),
  setting('can_manage_all_groups', { default: 'role:owners', nobody: false, changedBy: 'owners' }),
  setting('can_manage_billing_group', { default: 'role:administrators', nobody: false, changedBy: 'owners' }),
  setting('can_mention_many_users_group', { default: 'role:administrators', everyone: true }),
  setting('can_move_messages_between_channels_group', { default: 'role:members' }),
  setting('can_move_messages_between_topics_group', { default: 'role:everyone', everyone: true }),
  setting('can_resolve_topics_group', { default: 'role:everyone', everyone: true }),
  setting('can_set_delete_message_policy_group', { default: 'role:moderators' }),
  setting('can_set_topics_policy_group', { default: 'role:members', everyone: true }),
  setting('can_summarize_topics_group', { default: 'role:everyone', everyone: true }),
  setting('create_multiuse_invite_group', { default: 'role:administrators', changedBy: 'owners' }),
  setting('direct_message_initiator_group', { default: 'role:everyone', everyone: true }),
  setting('direct_message_permission_group', { default: 'role:everyone', everyone: true }),
  setting('workplace_users_group', { default: 'role:everyone', everyone: true }),
] as const;

/** Name of a permission of the organization. */
export type RealmGroupSettingName = (typeof REALM_GROUP_SETTINGS)[number]['name'];

/** The declaration of one permission. */
export function realmGroupSetting(name: RealmGroupSettingName): GroupSetting {
  const found = REALM_GROUP_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no organization setting ${name}`);
  return found;
}
