import type { GroupId, RealmId } from '#kernel/ids';
import type { SystemGroupName } from '#kernel/permissions';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';
import type { RealmGroupSettingName } from './group-settings.ts';
import type { RealmSettings } from './settings.ts';

type GroupColumns = { readonly [K in RealmGroupSettingName]: ReturnType<typeof col.ref<GroupId>> };

/** An organization. Settings that differ from their defaults are in `settings`; group-valued ones have columns. */
export const realm = table('realm', {
  id: col.id<RealmId>(),
  string_id: col.text(),
  name: col.text(),
  uuid: col.text(),
  date_created: col.int(),
  is_deactivated: col.bool(),
  settings: col.json<Partial<RealmSettings>>(),
  /** IDs of the system groups, which never change. */
  system_groups: col.json<Readonly<Record<SystemGroupName, GroupId>>>(),
  ...groupColumns(),
});
export type RealmRow = SelectOf<typeof realm>;
/** Columns of an organization that every request needs. */
export type RealmIdentity = Pick<
  RealmRow,
  'id' | 'string_id' | 'name' | 'is_deactivated' | 'settings' | 'system_groups' | 'can_access_all_users_group'
>;

/** Former subdomains of organizations that moved; each leads to the organization's present address. */
export const formerSubdomain = table('former_subdomain', { subdomain: col.text(), realm_id: col.ref<RealmId>() });

declare module '#kernel/store' {
  interface Tables {
    former_subdomain: RowOf<typeof formerSubdomain>;
    realm: RowOf<typeof realm>;
  }
}

function groupColumns(): GroupColumns {
  const group = col.ref<GroupId>();
  return {
    can_access_all_users_group: group,
    can_add_custom_emoji_group: group,
    can_add_subscribers_group: group,
    can_create_bots_group: group,
    can_create_groups: group,
    can_create_private_channel_group: group,
    can_create_public_channel_group: group,
    can_create_web_public_channel_group: group,
    can_create_write_only_bots_group: group,
    can_delete_any_message_group: group,
    can_delete_own_message_group: group,
    can_invite_users_group: group,
    can_manage_all_groups: group,
    can_manage_billing_group: group,
    can_mention_many_users_group: group,
    can_move_messages_between_channels_group: group,
    can_move_messages_between_topics_group: group,
    can_resolve_topics_group: group,
    can_set_delete_message_policy_group: group,
    can_set_topics_policy_group: group,
    can_summarize_topics_group: group,
    create_multiuse_invite_group: group,
    direct_message_initiator_group: group,
    direct_message_permission_group: group,
    workplace_users_group: group,
  };
}
