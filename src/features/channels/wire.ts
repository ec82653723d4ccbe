import { type ChannelId, type MessageId, recordOf, type UserId } from '#kernel/ids';
import { groupSettingValue } from '#kernel/permissions';
import { bool, idOf, int, list, maybe, nullable, object, oneOf, type SchemaOf, str } from '#kernel/schema';
import type { FolderId } from '#features/channel-folders';
import { CHANNEL_SETTING_NAMES } from '../groups/wire.ts';

const channelFields = {
  stream_id: idOf<ChannelId>(),
  name: str(),
  description: str(),
  rendered_description: str(),
  date_created: int(),
  creator_id: nullable(idOf<UserId>()),
  invite_only: bool(),
  is_web_public: bool(),
  history_public_to_subscribers: bool(),
  is_archived: bool(),
  stream_post_policy: int(),
  is_announcement_only: bool(),
  message_retention_days: nullable(int()),
  first_message_id: nullable(idOf<MessageId>()),
  folder_id: nullable(idOf<FolderId>()),
  is_recently_active: bool(),
  topics_policy: oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
  subscriber_count: int(),
  // Always there: the terminal client shows no channel without it. Empty while the server takes no mail
  // (protocol/channels#channel-object).
  email_address: str(),
  stream_weekly_traffic: nullable(int()),
  ...recordOf(CHANNEL_SETTING_NAMES, () => groupSettingValue),
};

/** A channel as clients see it. See protocol/channels#channel-object. */
export const wireChannel = object(channelFields).meta({ id: 'Channel' });
export type WireChannel = SchemaOf<typeof wireChannel>;

/** A channel in a list that may tell whether it is a default one. */
export const wireListedChannel = object({ ...channelFields, is_default: maybe(bool()) }).meta({ id: 'ListedChannel' });

const subscriberFields = {
  subscribers: maybe(list(idOf<UserId>())),
  partial_subscribers: maybe(list(idOf<UserId>())),
};

/** A channel that the viewer has never been subscribed to. */
export const wireNeverSubscribed = object({ ...channelFields, ...subscriberFields }).meta({
  id: 'ChannelWithSubscribers',
});
export type WireNeverSubscribed = SchemaOf<typeof wireNeverSubscribed>;

const personalFields = {
  desktop_notifications: nullable(bool()),
  email_notifications: nullable(bool()),
  push_notifications: nullable(bool()),
  audible_notifications: nullable(bool()),
  wildcard_mentions_notify: nullable(bool()),
  pin_to_top: bool(),
  is_muted: bool(),
  in_home_view: bool(),
  color: str(),
};
/** The personal properties of one subscription. */
export const wirePersonal = object(personalFields);

/** A channel with the viewer's personal properties. See protocol/channels#channel-object. */
export const wireSubscription = object({ ...channelFields, ...subscriberFields, ...personalFields }).meta({
  id: 'Subscription',
});
export type WireSubscription = SchemaOf<typeof wireSubscription>;
