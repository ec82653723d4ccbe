import type { FolderId } from '#features/channel-folders';
import { CHANNEL_SETTING_NAMES } from '#features/groups';
import {
  type ChannelId,
  type GroupId,
  type MessageId,
  type RealmId,
  type RecipientId,
  recordOf,
  type UserId,
} from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** How a channel treats the unnamed topic. See protocol/subscriptions#subscribing. */
export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

/** Channels. */
export const channel = table('channel', {
  id: col.id<ChannelId>(),
  realm_id: col.ref<RealmId>(),
  recipient_id: col.ref<RecipientId>(),
  name: col.text(),
  name_key: col.text(),
  description: col.text(),
  rendered_description: col.text(),
  date_created: col.int(),
  creator_id: col.refOrNull<UserId>(),
  invite_only: col.bool(),
  is_web_public: col.bool(),
  history_public_to_subscribers: col.bool(),
  is_archived: col.bool(),
  is_default: col.bool(),
  /** Null inherits the organization's; -1 keeps for ever. */
  message_retention_days: col.intOrNull(),
  folder_id: col.refOrNull<FolderId>(),
  topics_policy: col.text<TopicsPolicy>(),
  first_message_id: col.refOrNull<MessageId>(),
  /** Seconds since 1970 of the newest message; the date of creation before the first. */
  last_message_at: col.int(),
  /** Whether a message came in the last 180 days. See protocol/channels#channel-object. */
  is_recently_active: col.bool(),
  /** Messages a week, rounded; null while the channel is too young to tell. See protocol/channels#channel-object. */
  weekly_traffic: col.intOrNull(),
  /** Active subscribers, bots included. */
  subscriber_count: col.int(),
  ...recordOf(CHANNEL_SETTING_NAMES, () => col.ref<GroupId>()),
});
export type ChannelRow = SelectOf<typeof channel>;

/** A user's subscription to a channel with its personal properties. The row stays, inactive, after leaving. */
export const subscription = table('subscription', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  channel_id: col.ref<ChannelId>(),
  is_subscribed: col.bool(),
  color: col.text(),
  is_muted: col.bool(),
  pin_to_top: col.bool(),
  desktop_notifications: col.boolOrNull(),
  email_notifications: col.boolOrNull(),
  push_notifications: col.boolOrNull(),
  audible_notifications: col.boolOrNull(),
  wildcard_mentions_notify: col.boolOrNull(),
});
export type SubscriptionRow = SelectOf<typeof subscription>;

/**
 * One subscription period of a user in a channel. Entries of the log in (from_event_id, to_event_id] and messages in
 * (after_message_id, until_message_id] reached the user; null ends are open.
 */
export const subscriptionPeriod = table('subscription_period', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  channel_id: col.ref<ChannelId>(),
  user_id: col.ref<UserId>(),
  from_event_id: col.int(),
  to_event_id: col.intOrNull(),
  after_message_id: col.int(),
  until_message_id: col.intOrNull(),
});

/** Messages of a channel on one day (UTC, counted from 1970); days without any have no row. */
export const channelTraffic = table('channel_traffic', {
  realm_id: col.ref<RealmId>(),
  channel_id: col.ref<ChannelId>(),
  day: col.int(),
  message_count: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    channel: RowOf<typeof channel>;
    subscription: RowOf<typeof subscription>;
    subscription_period: RowOf<typeof subscriptionPeriod>;
    channel_traffic: RowOf<typeof channelTraffic>;
  }
}
