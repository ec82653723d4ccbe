import type { GroupId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { CHANNEL_SETTING_NAMES } from '../channel-settings.ts';
import { GROUP_SETTINGS } from '../settings.ts';

const GROUP_COLUMNS = GROUP_SETTINGS.map(({ name }) => name);

/** Channels with a permission that one of the groups stands for; their permissions. Archived ones may come back. */
export function channelsWithSettings(tx: RealmReadTx, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('channel')
    .select(['id', ...CHANNEL_SETTING_NAMES])
    .where('realm_id', '=', tx.realmId)
    .where((where) => where.or(CHANNEL_SETTING_NAMES.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}

/** Named groups in use with a permission that one of the groups stands for; their permissions. */
export function groupsWithSettings(tx: RealmReadTx, ids: readonly GroupId[]) {
  return tx.db
    .selectFrom('user_group')
    .select(['id', ...GROUP_COLUMNS])
    .where('realm_id', '=', tx.realmId)
    .where('group_kind', '=', 'named')
    .where('deactivated', '=', false)
    .where((where) => where.or(GROUP_COLUMNS.map((column) => tx.dialect.anyOf(column, ids))))
    .orderBy('id')
    .execute();
}
