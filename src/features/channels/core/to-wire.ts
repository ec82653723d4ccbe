import type { RealmRef, RealmRefReadTx } from '#kernel/auth';
import { type GroupId, recordOf } from '#kernel/ids';
import type { GroupSettingValue } from '#kernel/permissions';
import { CHANNEL_SETTING_NAMES, readValues, systemGroupName } from '#features/groups';
import type { ChannelRow, SubscriptionRow } from './tables.ts';
import type { WireChannel } from '../wire.ts';

/** Values of the permissions of these channels, in one read. */
export function readChannelValues(
  tx: RealmRefReadTx,
  rows: readonly ChannelRow[],
): Promise<ReadonlyMap<GroupId, GroupSettingValue>> {
  return readValues(
    tx,
    rows.flatMap((row) => CHANNEL_SETTING_NAMES.map((name) => row[name])),
  );
}

/** A channel as all clients see it, the same for every viewer. */
export function toWireChannel(
  row: ChannelRow,
  realm: RealmRef,
  values: ReadonlyMap<GroupId, GroupSettingValue>,
): WireChannel {
  const value = (id: GroupId) => values.get(id) ?? id;
  const policy = postPolicy(row, realm);
  return {
    stream_id: row.id,
    name: row.name,
    description: row.description,
    rendered_description: row.rendered_description,
    date_created: row.date_created,
    creator_id: row.creator_id,
    invite_only: row.invite_only,
    is_web_public: row.is_web_public,
    history_public_to_subscribers: row.history_public_to_subscribers,
    is_archived: row.is_archived,
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    message_retention_days: row.message_retention_days,
    first_message_id: row.first_message_id,
    folder_id: row.folder_id,
    is_recently_active: row.is_recently_active,
    topics_policy: row.topics_policy,
    subscriber_count: row.subscriber_count,
    email_address: '',
    stream_weekly_traffic: row.weekly_traffic,
    ...recordOf(CHANNEL_SETTING_NAMES, (name) => value(row[name])),
  };
}

/** The personal properties of a subscription. */
export function personalFields(row: SubscriptionRow) {
  return {
    desktop_notifications: row.desktop_notifications,
    email_notifications: row.email_notifications,
    push_notifications: row.push_notifications,
    audible_notifications: row.audible_notifications,
    wildcard_mentions_notify: row.wildcard_mentions_notify,
    pin_to_top: row.pin_to_top,
    is_muted: row.is_muted,
    in_home_view: !row.is_muted,
    color: row.color,
  };
}

/** The number that older clients read instead of can_send_message_group. See protocol/channels#channel-object. */
export function postPolicy(row: Pick<ChannelRow, 'can_send_message_group'>, realm: RealmRef): number {
  switch (systemGroupName(realm, row.can_send_message_group)) {
    case 'role:administrators':
      return 2;
    case 'role:fullmembers':
      return 3;
    case 'role:moderators':
      return 4;
    default:
      return 1;
  }
}
