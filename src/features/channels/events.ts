import { CHANNEL_SETTING_NAMES } from '#features/groups';
import { event } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import { bool, dict, idOf, json, list, maybe, object, str } from '#kernel/schema';
import { wireChannel, wireNeverSubscribed, wirePersonal, wireSubscription } from './wire.ts';

/** Channels that some people can now see. See protocol/events#stream. */
export const channelCreated = event({
  type: 'stream',
  op: 'create',
  source: 'protocol/events#stream',
  payload: { streams: list(wireChannel), for_unarchiving: bool() },
  variesBy: ['archived_channels'],
  wire: (payload, { archived_channels }) => {
    if (archived_channels) return payload.for_unarchiving ? [] : [payload];
    const streams = payload.streams.filter((channel) => !channel.is_archived);
    return streams.length > 0 ? [{ ...payload, streams }] : [];
  },
});

/** Channels that some people can no longer see. See protocol/events#stream. */
export const channelDeleted = event({
  type: 'stream',
  op: 'delete',
  source: 'protocol/events#stream, protocol/channels#archiving',
  payload: {
    stream_ids: list(idOf<ChannelId>()),
    streams: list(object({ stream_id: idOf<ChannelId>() })),
    for_archiving: maybe(bool()),
  },
  variesBy: ['archived_channels'],
  wire: (payload, { archived_channels }) => (payload.for_archiving && archived_channels ? [] : [payload]),
});

/** Properties that the server counts, or derives from others; the audit log leaves their changes out. */
const COUNTED: ReadonlySet<string> = new Set([
  'first_message_id',
  'is_announcement_only',
  'is_recently_active',
  'stream_post_policy',
  'stream_weekly_traffic',
  'subscriber_count',
]);

/** Properties that decide who may read a channel, and who may do what in it. */
const DECIDING: ReadonlySet<string> = new Set([
  ...CHANNEL_SETTING_NAMES,
  'invite_only',
  'is_web_public',
  'history_public_to_subscribers',
  'is_archived',
]);

/** One property of a channel changed. See protocol/events#stream, protocol/channels#update-events. */
export const channelChanged = event({
  type: 'stream',
  op: 'update',
  source: 'protocol/events#stream',
  payload: {
    stream_id: idOf<ChannelId>(),
    name: str(),
    property: str(),
    value: json(),
    rendered_description: maybe(str()),
    history_public_to_subscribers: maybe(bool()),
    is_web_public: maybe(bool()),
  },
  changesRights: ({ property }) => DECIDING.has(property),
  audit: ({ stream_id: id, name, property, value, history_public_to_subscribers, is_web_public }, before) =>
    COUNTED.has(property)
      ? undefined
      : {
          action: 'channel.changed',
          target: { kind: 'channel', id, name },
          before,
          after: { [property]: value, history_public_to_subscribers, is_web_public },
        },
  variesBy: ['archived_channels'],
  wire: (payload, { archived_channels }) => (payload.property === 'is_archived' && !archived_channels ? [] : [payload]),
});

/**
 * Channels the receiver is now subscribed to: all channels once, and each receiver's own properties.
 * See protocol/events#subscription.
 */
export const subscriptionAdded = event({
  type: 'subscription',
  op: 'add',
  source: 'protocol/events#subscription',
  payload: {
    channels: list(wireNeverSubscribed),
    /** By user ID, then by channel ID. */
    personal: dict(dict(wirePersonal)),
    for_unarchiving: maybe(bool()),
  },
  forms: [{ subscriptions: list(wireSubscription) }],
  variesBy: ['archived_channels', 'include_subscribers'],
  variesByViewer: ['user_id'],
  wire: ({ channels, personal, for_unarchiving }, { archived_channels, include_subscribers, user_id }) => {
    if (for_unarchiving && archived_channels) return [];
    const shown = channels.filter((channel) => archived_channels || !channel.is_archived);
    const subscriptions = shown.flatMap(({ subscribers, ...channel }) => {
      const own = personal[user_id]?.[channel.stream_id];
      return own ? [{ ...channel, ...own, ...(include_subscribers !== 'false' && { subscribers }) }] : [];
    });
    return subscriptions.length > 0 ? [{ subscriptions }] : [];
  },
});

/** Channels the receiver is no longer subscribed to. See protocol/events#subscription. */
export const subscriptionRemoved = event({
  type: 'subscription',
  op: 'remove',
  source: 'protocol/events#subscription',
  payload: {
    subscriptions: list(object({ stream_id: idOf<ChannelId>(), name: str() })),
    /** Which of the channels are archived; only clients with `archived_channels` are told of those. */
    archived: list(idOf<ChannelId>()),
  },
  forms: [{ subscriptions: list(object({ stream_id: idOf<ChannelId>(), name: str() })) }],
  variesBy: ['archived_channels'],
  wire: ({ subscriptions, archived }, { archived_channels }) => {
    const shown = subscriptions.filter(({ stream_id }) => archived_channels || !archived.includes(stream_id));
    return shown.length > 0 ? [{ subscriptions: shown }] : [];
  },
});

/** A personal property of a subscription changed. See protocol/events#subscription. */
export const subscriptionUpdated = event({
  type: 'subscription',
  op: 'update',
  source: 'protocol/events#subscription',
  payload: { stream_id: idOf<ChannelId>(), property: str(), value: json() },
});

const peers = { stream_ids: list(idOf<ChannelId>()), user_ids: list(idOf<UserId>()) };

const peerPayload = {
  ...peers,
  /** Set where the channel is archived: only clients with `archived_channels` get the event. */
  in_archive: maybe(bool()),
};

/** Other people were subscribed. See protocol/events#subscription. */
export const peersAdded = event({
  type: 'subscription',
  op: 'peer_add',
  source: 'protocol/events#subscription',
  payload: {
    ...peerPayload,
    /**
     * Set when a channel is unarchived: only clients without `archived_channels`, which dropped it when it was
     * archived, get the event.
     */
    for_unarchiving: maybe(bool()),
  },
  forms: [peers],
  variesBy: ['archived_channels'],
  wire: ({ for_unarchiving, in_archive, ...seen }, { archived_channels }) =>
    (archived_channels ? for_unarchiving : in_archive) ? [] : [seen],
});

/** Other people were unsubscribed. See protocol/events#subscription. */
export const peersRemoved = event({
  type: 'subscription',
  op: 'peer_remove',
  source: 'protocol/events#subscription',
  payload: peerPayload,
  forms: [peers],
  variesBy: ['archived_channels'],
  wire: ({ in_archive, ...seen }, { archived_channels }) => (in_archive && !archived_channels ? [] : [seen]),
});

/** The list of default channels changed. See protocol/events#organization. */
export const defaultChannelsChanged = event({
  type: 'default_streams',
  source: 'protocol/events#organization',
  payload: { default_streams: list(idOf<ChannelId>()) },
  audience: () => ({ members: true }),
  audit: ({ default_streams }) => ({
    action: 'default_channels.changed',
    target: { kind: 'organization' },
    after: default_streams,
  }),
});

export const channelEvents = [
  channelCreated,
  channelDeleted,
  channelChanged,
  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
  peersAdded,
  peersRemoved,
  defaultChannelsChanged,
];
