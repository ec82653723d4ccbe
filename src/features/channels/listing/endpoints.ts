import { alias, endpoint, everyone, json, path, raw, withDefault } from '#kernel/endpoint';
import type { ChannelId, UserId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import { bool, idOf, list, text } from '#kernel/schema';
import { foldCase } from '#kernel/text';
import { accessChannel, accessIn, subscribersOf } from '../members/index.ts';
import {
  findChannelsByName,
  InvalidChannelId,
  InvalidChannelName,
  readChannelValues,
  SubscribersUnavailable,
  toWireChannel,
} from '../core/index.ts';
import { listForCaller } from './listing.ts';
import { mayKnow } from '../rules.ts';
import { wireChannel, wireListedChannel } from '../wire.ts';

const flag = (byDefault: boolean) => withDefault(json(bool()), byDefault);

const listChannels = endpoint({
  id: 'get-channels',
  method: 'GET',
  path: '/streams',
  source: 'protocol/channels#reading-channels',
  doc: 'Channels of the organization that the caller may know of, by name.',
  who: everyone,
  params: {
    include_public: flag(true),
    include_web_public: flag(false),
    include_subscribed: flag(true),
    exclude_archived: flag(true),
    include_all: alias(flag(false), 'include_all_active'),
    include_default: flag(false),
    include_owner_subscribed: flag(false),
    include_can_access_content: flag(false),
  },
  returns: { streams: list(wireListedChannel) },
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => ({ streams: await listForCaller(tx, params) })),
});

const getChannel = endpoint({
  id: 'get-channel',
  method: 'GET',
  path: '/streams/{stream_id}',
  source: 'protocol/channels#reading-channels',
  doc: 'One channel by ID.',
  who: everyone,
  params: { stream_id: path(idOf<ChannelId>()) },
  returns: { stream: wireChannel },
  fails: [InvalidChannelId],
  run: ({ actor, realm, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const { channel } = await accessChannel(tx, params.stream_id);
      return { stream: toWireChannel(channel, realm, await readChannelValues(tx, [channel])) };
    }),
});

const getChannelId = endpoint({
  id: 'get-channel-id',
  method: 'GET',
  path: '/get_stream_id',
  source: 'protocol/channels#reading-channels',
  doc: 'The ID of a channel, by name.',
  who: everyone,
  params: { stream: raw(text({ nul: 'allowed' })) },
  returns: { stream_id: idOf<ChannelId>() },
  fails: [InvalidChannelName],
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const name = params.stream.trim();
      const channel = (await findChannelsByName(tx, [name])).get(foldCase(name));
      if (!channel || !mayKnow(channel, await accessIn(tx, channel))) throw InvalidChannelName({ name: params.stream });
      return { stream_id: channel.id };
    }),
});

const getSubscribers = endpoint({
  id: 'get-subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  source: 'protocol/channels#reading-channels',
  doc: 'The active subscribers of a channel.',
  who: everyone,
  mayBeLarge: true,
  params: { stream_id: path(idOf<ChannelId>()) },
  returns: { subscribers: list(idOf<UserId>()) },
  fails: [InvalidChannelId, SubscribersUnavailable],
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const { channel, access } = await accessChannel(tx, params.stream_id);
      if (isGuest(actor) && !access.isSubscribed) throw SubscribersUnavailable();
      const subscribers = await subscribersOf(tx, [channel.id]);
      return { subscribers: [...(subscribers.get(channel.id) ?? [])] };
    }),
});

export const readEndpoints = [listChannels, getChannel, getChannelId, getSubscribers];
