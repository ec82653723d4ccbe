import type { GroupId, RealmId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';

const CHANNEL_COLUMNS = [
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
] as const;
const GROUP_COLUMNS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

/** Channels in use with a permission that one of the groups stands for; their permissions. */
export function channelsWithSettings(tx: ReadTx, realmId: RealmId, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('channel')
    .select(['id', ...CHANNEL_COLUMNS])
    .where('realm_id', '=', realmId)
    .where('is_archived', '=', false)
    .where((where) => where.or(CHANNEL_COLUMNS.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}

/** Named groups in use with a permission that one of the groups stands for; their permissions. */
export function groupsWithSettings(tx: ReadTx, realmId: RealmId, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('user_group')
    .select(['id', ...GROUP_COLUMNS])
    .where('realm_id', '=', realmId)
    .where('group_kind', '=', 'named')
    .where('deactivated', '=', false)
    .where((where) => where.or(GROUP_COLUMNS.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}
